"""Lexicon of stop phrases, for texts that are certainly a stop and need no classifier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from pathlib import Path

import yaml

from reachy_agent_ros.nlu.stop.plain_words import MARKS, SHOUT, plain_words

FOLDER = Path(__file__).with_name("lexicon")
"""Folder with one file for each language of the robot, and one for phrases in other languages."""

LONGEST = 60
"""Maximum number of words. A person who shouts does not give a speech."""

_REPEATED = 3
"""Number of stops that make a plain stop urgent."""


class StopLevel(IntEnum):
    """Urgency of a stop in a text."""

    NONE = 0
    CALM = 1
    """A person has seen enough: "that will do, thanks"."""
    PLAIN = 2
    """Command to stop: "stop", "don't move"."""
    URGENT = 3
    """Danger, pain, anger or a shouted stop: "let go of my finger"."""


_LEVELS = {"now": StopLevel.URGENT, "stop": StopLevel.PLAIN, "hold": StopLevel.CALM, "go_on": StopLevel.NONE}
_THANKS, _HURRY, _AROUND = "thanks", "hurry", "around"


class StopLexicon:
    """Lexicon that classifies texts in which all words belong to known phrases.

    Phrases of all languages count at once: a person may shout in any of them.
    """

    def __init__(self) -> None:
        self._levels: dict[tuple[str, ...], StopLevel] = {}
        self._around: dict[tuple[str, ...], str] = {}
        for path in sorted(FOLDER.glob("*.yaml")):
            entries = yaml.safe_load(path.read_text(encoding="utf-8"))
            for name, level in _LEVELS.items():
                for phrase in _keys(entries[name]):  # languages share words: the most urgent meaning counts
                    self._levels[phrase] = max(level, self._levels.get(phrase, level))
            for kind in (_AROUND, _THANKS, _HURRY):
                self._around.update((words, kind) for words in _keys(entries[kind]))
        self._most = max(map(len, (*self._levels, *self._around)))

    def level(self, words: Sequence[str]) -> StopLevel | None:
        """Returns the urgency of a text that consists of known phrases.

        Returns None if the text contains other words, no stop phrase or contradictory ones, is a question, or is longer
        than `LONGEST`.

        Args:
            words: Words from `plain_words`.
        """
        if len(words) > LONGEST or "?" in words:
            return None
        found = self._phrases(words)
        if not found:
            return None
        levels = [self._levels[phrase] for phrase in found if phrase in self._levels]
        if not levels or (StopLevel.NONE in levels and max(levels) > StopLevel.NONE):
            return None
        around = {self._around.get(phrase) for phrase in found}
        highest = max(levels)
        if highest is StopLevel.PLAIN and (_HURRY in around or len(levels) >= _REPEATED):
            return StopLevel.URGENT
        if highest is StopLevel.PLAIN and _THANKS in around:
            return StopLevel.CALM
        return StopLevel.PLAIN if highest is StopLevel.CALM and _HURRY in around else highest

    def _phrases(self, words: Sequence[str]) -> list[tuple[str, ...]] | None:
        """Splits words into the longest known phrases. Returns None if a word belongs to no phrase."""
        phrases: list[tuple[str, ...]] = []
        index = 0
        while index < len(words):
            if words[index] in MARKS or words[index] == SHOUT:
                index += 1
                continue
            sizes = range(min(self._most, len(words) - index), 0, -1)
            candidates = (tuple(words[index : index + size]) for size in sizes)
            phrase = next((each for each in candidates if each in self._levels or each in self._around), None)
            if phrase is None:
                return None
            phrases.append(phrase)
            index += len(phrase)
        return phrases


def _keys(phrases: Iterable[str]) -> Iterator[tuple[str, ...]]:
    for phrase in phrases:
        yield tuple(word for word in plain_words(phrase) if word not in MARKS)
