"""Segmentation of sentences into clauses, and removal of words that do not belong to a command."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from reachy_agent_ros.nlu.sentence import SentencePart
from reachy_agent_ros.nlu.templates.language import Common
from reachy_agent_ros.nlu.templates.tokens import any_of, folded, folded_template
from reachy_agent_ros.nlu.text import Word, joined

_LONGEST_NOUN = 3
"""Maximum number of words of an object that no list contains."""


_LONGEST_REPETITION = 3
"""Maximum number of words that a speaker repeats in a row."""


class ClauseSplitter:
    """Splits sentences of a language into clauses.

    Args:
        common: Words of the language that belong to no command.
    """

    def __init__(self, common: Common) -> None:
        self._ignored = frozenset(map(folded_template, common.ignored))
        self._times = frozenset(map(folded_template, common.modifiers.times))
        self._opening = re.compile(rf"(?:{any_of([*common.opening, *common.ignored])}(?: |$))+")
        self._closing = re.compile(rf"(?:(?:^| ){any_of([*common.closing, *common.ignored])})+$")
        self._correction = re.compile(rf"(?:{any_of(common.correction)}(?: |$))+|{any_of(common.negation)}$")
        self._correction_within = re.compile(rf"(?:{any_of([*common.correction, *common.negation])} )+")
        self._remark = re.compile(rf"{any_of(common.remarks)}(?: |$)")
        named = (phrase for values in common.lists.values() for phrases in values.values() for phrase in phrases)
        self._values = frozenset(map(folded_template, named))
        phrases = (
            *common.abstract,
            *common.remarks,
            *common.correction,
            *common.negation,
            *common.sequential,
            *common.simultaneous,
        )
        directions = (phrase for phrases in common.lists.get("direction", {}).values() for phrase in phrases)
        self._not_nouns = frozenset(" ".join(map(folded_template, (*phrases, *directions))).split())
        self._subject = re.compile(rf"{any_of(common.subjects)} (?=\w+ \w+)")
        self._report = re.compile(rf"(?:^|(?<= )){any_of(common.reports)}(?: |$)")
        self._request = re.compile(rf"(?:^|(?<= )){any_of(common.requests)}(?: |$)")
        separators = [
            *((phrase.split(), True) for phrase in map(folded_template, common.sequential)),
            *((phrase.split(), False) for phrase in map(folded_template, common.simultaneous)),
        ]
        self._separators: dict[str, list[tuple[list[str], bool]]] = {}  # by their first word, the longest first
        for phrase, is_sequence in sorted(separators, key=lambda separator: -len(separator[0])):
            self._separators.setdefault(phrase[0], []).append((phrase, is_sequence))

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
        for phrase, is_sequence in self._separators.get(words[index].text, ()):
            if [word.text for word in words[index : index + len(phrase)]] == phrase:
                return len(phrase), is_sequence
        return 0, False

    def cut(self, part: SentencePart, is_command: Callable[[Sequence[Word]], bool]) -> Iterator[SentencePart]:
        """Splits a clause where a correction or a remark follows a command without punctuation.

        Args:
            part: Clause that is not a command as a whole.
            is_command: Returns whether words alone are a command.
        """
        for place in range(1, len(part.words)):
            rest = joined(part.words[place:])
            correction, remark = self._correction_within.match(rest), self._remark.match(rest)
            if (correction or remark) and is_command(part.words[:place]):
                yield replace(part, words=part.words[:place])
                if is_command(part.words[place:]):  # the "wait" of "wait 3 seconds" corrects nothing
                    yield SentencePart(part.words[place:], sequential=True)
                    return
                start = place + (len(correction.group().split()) if correction else 0)
                yield SentencePart(part.words[start:], sequential=False, corrects=correction is not None)
                return
        yield part

    def completions(self, before: Sequence[Word], after: Sequence[Word]) -> Iterator[list[Word]]:
        """Yields the words of a clause after the words that the clause before it may share with it, longest first.

        The shared words end before the first direction, object, emotion or number.
        """
        shared = next((i for i, word in enumerate(before) if word.text in self._values or word.text[-1].isdigit()), 0)
        for end in range(shared, 0, -1):
            yield [*before[:end], *after]

    def is_noun(self, phrase: str) -> bool:
        """Returns whether a phrase may name an object: up to three words, none a function word."""
        words = re.split(r"[\s'\u2019-]+", folded(phrase))
        return len(words) <= _LONGEST_NOUN and self._not_nouns.isdisjoint(words) and all(map(str.isalpha, words))

    def is_remark(self, part: SentencePart) -> bool:
        """Returns whether a clause only comments on a command: "because I cannot hear you"."""
        for text in (part.text, joined(self.without_opening(part.words))):
            opening = self._remark.match(text) or self._subject.match(text)
            if opening is not None:
                return self._may_comment(part, text[opening.end() :])
        return False

    def may_continue_remark(self, part: SentencePart) -> bool:
        """Returns whether a clause neither corrects, reports nor requests anything."""
        return self._may_comment(part, part.text)

    def _may_comment(self, part: SentencePart, text: str) -> bool:
        return not (part.corrects or self._report.search(text) or self._request.search(text))

    def is_report(self, part: SentencePart) -> bool:
        """Returns whether a clause reports or supposes a command, apart from courtesies such as "if you like"."""
        return self._report.search(joined(self.stripped(part.words))) is not None

    def corrected(self, parts: Sequence[SentencePart]) -> list[SentencePart]:
        """Marks clauses that correct the previous clause, and removes clauses that only contain courtesies."""
        found: list[SentencePart] = []
        pending = False
        for part in parts:
            match = self._correction.match(part.text) if found else None
            words = part.words[len(match.group().split()) :] if match else part.words
            pending |= match is not None or part.corrects
            if words and (self.stripped(words) or len(parts) == 1):
                found.append(SentencePart(words, part.sequential, corrects=pending))
                pending = False
        return found

    def stripped(self, words: Sequence[Word]) -> list[Word]:
        """Removes polite phrases, punctuation, and words without meaning."""
        found: list[Word] = []
        for word in self.without_closing(self.without_opening(words)):
            counts = word.text in self._times and bool(found) and found[-1].text[-1].isdigit()
            if not word.is_mark and (word.text not in self._ignored or counts):
                found.append(word)
        return found

    @staticmethod
    def without_repetitions(words: Sequence[Word]) -> list[Word]:
        """Removes words that a speaker repeats in a row: "look at look at me"."""
        found: list[Word] = []
        for word in words:
            found.append(word)
            texts = [one.text for one in found]
            for length in range(1, min(_LONGEST_REPETITION, len(found) // 2) + 1):
                if texts[-length:] == texts[-2 * length : -length]:
                    del found[-length:]
                    break
        return found

    def without_opening(self, words: Sequence[Word]) -> Sequence[Word]:
        """Removes courtesies before a command."""
        opening = self._opening.match(joined(words))
        return words[len(opening.group().split()) :] if opening else words

    def without_closing(self, words: Sequence[Word]) -> Sequence[Word]:
        """Removes courtesies after a command."""
        closing = self._closing.search(joined(words))
        return words[: len(words) - len(closing.group().split())] if closing else words
