"""Segmentation of sentences into clauses, and removal of words that do not belong to a command."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.nlu.sentence import SentencePart
from reachy_agent_ros.nlu.templates.language import Common
from reachy_agent_ros.nlu.templates.tokens import any_of, folded_template
from reachy_agent_ros.nlu.text import Word, joined


class ClauseSplitter:
    """Splits sentences of a language into clauses.

    Args:
        common: Words of the language that belong to no command.
    """

    def __init__(self, common: Common) -> None:
        self._ignored = frozenset(map(folded_template, common.ignored))
        self._opening = re.compile(rf"(?:{any_of([*common.opening, *common.ignored])}(?: |$))+")
        self._closing = re.compile(rf"(?:(?:^| ){any_of([*common.closing, *common.ignored])})+$")
        self._correction = re.compile(rf"(?:{any_of(common.correction)}(?: |$))+|{any_of(common.negation)}$")
        self._separators = [
            *((phrase.split(), True) for phrase in map(folded_template, common.sequential)),
            *((phrase.split(), False) for phrase in map(folded_template, common.simultaneous)),
        ]
        self._separators.sort(key=lambda separator: -len(separator[0]))

    def parts(self, words: Sequence[Word], splits_within: bool) -> list[SentencePart]:
        """Splits a sentence at punctuation and at phrases such as "and then".

        Args:
            words: Words of the sentence.
            splits_within: Whether a single word such as "then" separates clauses; otherwise it only says that its
                clause follows in time, unless it stands at a boundary.
        """
        parts: list[SentencePart] = []
        current: list[Word] = []
        sequential = False
        index = 0
        while index < len(words):
            length, is_sequence = self._separator_at(words, index)
            if length == 0:
                current.append(words[index])
            elif is_sequence and length == 1 and current and not splits_within:
                sequential = True
            else:
                if current:
                    parts.append(SentencePart(tuple(current), sequential))
                    current, sequential = [], False
                sequential |= is_sequence
            index += max(length, 1)
        return [*parts, SentencePart(tuple(current), sequential)] if current else parts

    def _separator_at(self, words: Sequence[Word], index: int) -> tuple[int, bool]:
        """Returns how many words the separator at `index` has, or 0 if there is none, and whether it means "then"."""
        if words[index].is_mark:
            return 1, False
        for phrase, is_sequence in self._separators:
            if [word.text for word in words[index : index + len(phrase)]] == phrase:
                return len(phrase), is_sequence
        return 0, False

    def corrected(self, parts: Sequence[SentencePart]) -> list[SentencePart]:
        """Marks clauses that correct the previous clause, and removes clauses that only contain courtesies."""
        found: list[SentencePart] = []
        pending = False
        for part in parts:
            match = self._correction.match(part.text) if found else None
            words = part.words[len(match.group().split()) :] if match else part.words
            pending |= match is not None
            if words and (self.stripped(words) or len(parts) == 1):
                found.append(SentencePart(words, part.sequential, corrects=pending))
                pending = False
        return found

    def stripped(self, words: Sequence[Word]) -> list[Word]:
        """Removes polite phrases, punctuation, and words without meaning."""
        kept = self.without_closing(self.without_opening(words))
        return [word for word in kept if word.text not in self._ignored and not word.is_mark]

    def without_opening(self, words: Sequence[Word]) -> Sequence[Word]:
        """Removes courtesies before a command."""
        opening = self._opening.match(joined(words))
        return words[len(opening.group().split()) :] if opening else words

    def without_closing(self, words: Sequence[Word]) -> Sequence[Word]:
        """Removes courtesies after a command."""
        closing = self._closing.search(joined(words))
        return words[: len(words) - len(closing.group().split())] if closing else words
