"""Labeled word sequences for the completeness classifier, made from complete sentences.

A prefix of a sentence is unfinished unless it is a sentence of its own: "look left" begins "look left and nod". A
filler or a connector after a complete sentence leaves it unfinished.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reachy_agent_ros.nlu.stop.plain_words import MARKS, plain_words
from reachy_agent_ros.nlu.turn.completeness import TRAILING_OFF, words_so_far
from training.turn.sentence import Sentence

UNKNOWN, UNFINISHED, COMPLETE, BROKEN_OFF = range(-1, 3)
"""Labels of a word: whether the text up to it is complete. `BROKEN_OFF` is certainly unfinished, by a filler or a
connector."""

ENDS = frozenset(".!?")

LONGEST = 36
"""Maximum number of words of a sentence."""

COMMAS = 0.5
"""Share of sentences that keep their commas. Speech recognizers write few."""

WHOLE, FILLED, CONNECTED = 0.5, 0.1, 0.1
"""Shares of sentences that end, and of those continued by a filler or a connector. The others are cut."""

MARKED = 0.65
"""Share of whole sentences with a mark at the end."""

CUT_MARKS = (*[""] * 6, *["."] * 9, *[TRAILING_OFF] * 3, *[","] * 2)
"""Marks after a cut. Recognizers end most unfinished sentences with a period, so it must not tell anything."""


@dataclass(frozen=True)
class LabeledWords:
    """Words, each with the label of the text up to it.

    Attributes:
        words: Words and marks.
        labels: Labels, one for each word.
    """

    words: list[str]
    labels: list[int]

    def followed(self, words: Sequence[str], label: int) -> LabeledWords:
        """Returns the words with more words. Only the last of these has the label; the others are unknown."""
        if not words:
            return self
        labels = [*[UNKNOWN] * (len(words) - 1), label]
        return LabeledWords([*self.words, *words], [*self.labels, *labels])


class Endings:
    """Makes labeled words with random endings.

    Args:
        sentences: All complete sentences.
        continuations: Fillers and connectors by language.
    """

    def __init__(self, sentences: Iterable[Sentence], continuations: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        self._complete = {bare(words_so_far(sentence.text)) for sentence in sentences}
        self._continuations = continuations

    def ending(self, sentence: Sentence, chance: random.Random) -> LabeledWords:
        """Returns the sentence as it is, cut, or continued."""
        words = words_so_far(sentence.text)[:LONGEST]
        if chance.random() > COMMAS:
            words = [word for word in words if word != ","]
        mark = words[-1] if words and words[-1] in ENDS else "."
        while words and words[-1] in MARKS:
            words.pop()
        labeled = LabeledWords(words, list(self._labels(words)))
        kind = chance.random()
        if kind < WHOLE or len(words) < 2:
            return labeled.followed([mark] if chance.random() < MARKED else [], COMPLETE)
        if kind < WHOLE + FILLED:
            return self._continued(labeled, sentence.language, "fillers", chance)
        if kind < WHOLE + FILLED + CONNECTED:
            return self._continued(labeled, sentence.language, "connectors", chance)
        return self._cut(labeled, chance)

    def _continued(self, labeled: LabeledWords, language: str, kind: str, chance: random.Random) -> LabeledWords:
        words = plain_words(chance.choice(self._continuations[language][kind]))
        return labeled.followed(words, BROKEN_OFF).followed(_cut_mark(chance), BROKEN_OFF)

    def _cut(self, labeled: LabeledWords, chance: random.Random) -> LabeledWords:
        places = [place for place, label in enumerate(labeled.labels) if label == UNFINISHED]
        if not places:
            return labeled
        end = chance.choice(places) + 1
        cut = LabeledWords(labeled.words[:end], labeled.labels[:end])
        return cut.followed(_cut_mark(chance), UNFINISHED)

    def _labels(self, words: Sequence[str]) -> Iterator[int]:
        said = ""
        for place, word in enumerate(words):
            said = said if word in MARKS else f"{said} {word}"
            if place + 1 == len(words) or word in ENDS or words[place + 1] in ENDS:
                yield COMPLETE
            else:
                yield UNKNOWN if said in self._complete else UNFINISHED


def bare(words: Iterable[str]) -> str:
    """Returns the words without marks, each after a space."""
    return "".join(f" {word}" for word in words if word not in MARKS)


def _cut_mark(chance: random.Random) -> list[str]:
    mark = chance.choice(CUT_MARKS)
    return [mark] if mark else []
