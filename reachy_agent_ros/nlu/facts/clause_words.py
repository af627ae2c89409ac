"""Words of a clause, with the places of its parts in the text as the person wrote it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reachy_agent_ros.nlu.facts.fact_language import FactLanguage
from reachy_agent_ros.nlu.templates.tokens import tokens_of
from reachy_agent_ros.nlu.text import Word, joined

_ENDS = frozenset(".!?;\n…")
_PAUSES = frozenset(",:\u2013\u2014")
_TITLES = frozenset(("mr", "mrs", "ms", "dr", "prof", "sr", "sra", "hr", "st"))
"""Abbreviations whose period does not end a sentence."""

_QUOTES = frozenset('"\u201c\u201d\u201e\u00ab\u00bb')


@dataclass(frozen=True)
class ClauseWords:
    """Words of a clause without punctuation.

    Attributes:
        text: Whole text as written.
        words: Words of the clause, in lower case without accents.
        end: End of the whole clause in the text, which may have further words.
    """

    text: str
    words: Sequence[Word]
    end: int

    @cached_property
    def said(self) -> str:
        """Words of the clause, separated by spaces."""
        return joined(self.words)

    @property
    def written(self) -> str:
        """Clause as written."""
        return self.text[self.words[0].start : self.words[-1].end] if self.words else ""

    @property
    def whole(self) -> str:
        """Clause as written, from the first of `words` to its end."""
        return self.text[self.words[0].start : self.end]

    def part(self, match: re.Match[str], group: str) -> ClauseWords:
        """Returns the words of a group of a match with `said`, without the spaces around them."""
        first = len(match.string[: match.start(group)].split())
        return replace(self, words=self.words[first : first + len(match[group].split())])

    def after(self, count: int) -> ClauseWords:
        """Returns the clause without its first words."""
        return replace(self, words=self.words[count:])

    def without_end(self, count: int) -> ClauseWords:
        """Returns the clause without its last words."""
        return replace(self, words=self.words[: len(self.words) - count])

    def has_any(self, words: Collection[str]) -> bool:
        """Returns whether the clause has any of some words in lower case. "Tè" is another word than "te"."""
        return any(_accented(self.text, word) in words for word in self.words)

    def is_capitalized(self, index: int) -> bool:
        """Returns whether a word is written with a capital letter."""
        return self.text[self.words[index].start].isupper()


@dataclass(frozen=True)
class SentenceWords:
    """Sentence of a text.

    Attributes:
        clauses: Clauses, each with whether punctuation or a conjunction separates it from the one before.
        said: Words of the sentence, separated by spaces.
        marked: Words and punctuation of the sentence, separated by spaces.
        asks: Whether the sentence ends with a question mark.
        quotes: Whether the sentence contains a quotation.
    """

    clauses: Sequence[ClauseWords]
    said: str
    marked: str
    asks: bool
    quotes: bool


def sentences_of(text: str, language: FactLanguage) -> Iterator[SentenceWords]:
    """Yields the sentences of a text, whose clauses are separated by punctuation and by the words in `breaks`."""
    sentence: list[Word] = []
    words = [*tokens_of(text, language.code), Word(".", len(text), len(text))]
    for word, following in zip(words, [*words[1:], words[-1]], strict=True):
        if word.text not in _ENDS:
            sentence.append(word)
            continue
        before = sentence[-1].text if sentence else ""
        if before in _TITLES or (before.isdigit() and language.month.fullmatch(following.text)):
            continue  # "Dr. Smith", "3. Mai"
        if sentence:
            yield _sentence(text, sentence, word.text == "?", language)
        sentence = []


def _sentence(text: str, words: Sequence[Word], asks: bool, language: FactLanguage) -> SentenceWords:
    plain = _respelled([word for word in words if not word.is_mark], language)
    spelled = {word.start: word for word in plain}
    clauses: list[list[Word]] = [[]]
    for word in words:
        plain_word = spelled.get(word.start, word)
        accented = _accented(text, plain_word)
        if word.text in _PAUSES or accented in language.breaks:
            clauses.append([])
        elif word.start in spelled and accented not in language.fillers:
            clauses[-1].append(plain_word)
    found = [ClauseWords(text, clause, clause[-1].end) for clause in clauses if clause]
    marked = joined(spelled.get(word.start, word) for word in words)
    return SentenceWords(found, joined(plain), marked, asks, any(word.text in _QUOTES for word in words))


def _accented(text: str, word: Word) -> str:
    """Returns a word in lower case with the accents of the text: "è" is another word than "e"."""
    written = text[word.start : word.end].casefold()
    return word.text if written.isascii() else written


def _respelled(words: Sequence[Word], language: FactLanguage) -> Sequence[Word]:
    """Returns the words in the spelling of the patterns. A replacement with another number of words is ignored."""
    said = joined(words)
    for pattern, new in language.spellings:
        said = pattern.sub(new, said)
    texts = said.split()
    return (
        [replace(word, text=new) for word, new in zip(words, texts, strict=True)] if len(texts) == len(words) else words
    )
