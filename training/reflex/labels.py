"""Labeled sentences of this repository, each as a phrase with a plain command of the same meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reachy_agent_ros.nlu.classifier import NOTHING, exemplars
from reachy_agent_ros.nlu.clause import Clause
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.free_phrasing import phrase_taken_apart
from reachy_agent_ros.nlu.request import Mood, mood_of
from reachy_agent_ros.nlu.sentence_reader import Rulebook
from reachy_agent_ros.nlu.slots import Slots, slots_of
from reachy_agent_ros.nlu.text import joined, words_of
from reachy_agent_ros.nlu.vocabulary import Vocabulary

FOLDER = Path("test/nlu")
KEPT_FOR_THE_TEST = "unseen"

_DESCRIPTION = " +description"
_SIGHT = "what do you see"


@dataclass(frozen=True)
class Labeled:
    """Labeled phrase.

    Attributes:
        masked: Phrase as masked by `slots.Slots`.
        mood: Mood of the complete phrase.
        plain: Plain command with the same meaning, or `NOTHING`.
    """

    masked: str
    mood: Mood
    plain: str


def labeled(vocabulary: Vocabulary) -> Sequence[Labeled]:
    """Returns all exemplars, and all sentences outside the test set that a plain command can express."""
    plains = list(dict.fromkeys(one.plain for one in exemplars())) + [f"show {name}" for name in vocabulary.emotions]
    reader = _Reader(vocabulary, [plain for plain in plains if plain != NOTHING])
    found = [reader.phrase(one.phrase, one.plain) for one in exemplars()]
    return [*found, *(phrase for text, expected in _sentences() for phrase in reader.sentence(text, expected))]


def _sentences() -> Iterator[tuple[str, str]]:
    """Yields sentences with the expected actions."""
    for part, text, expected in _rows("phrasings.tsv"):
        if part != KEPT_FOR_THE_TEST:
            yield text, expected
    for name in ("free_phrases.tsv", "utterances.tsv"):
        for text, kind, actions in _rows(name):
            if kind != "ask":
                yield text, actions or kind


def _rows(name: str) -> Iterator[list[str]]:
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield [*line.split("\t"), "", ""][:3]


class _Reader:
    def __init__(self, vocabulary: Vocabulary, plains: Sequence[str]) -> None:
        self._vocabulary = vocabulary
        self._rules = Rulebook(vocabulary)
        # Phrases with slots come first because they stand for more sentences.
        self._plains = sorted(plains, key=lambda plain: "{" not in plain)

    def phrase(self, text: str, plain: str) -> Labeled:
        clause, slots = self._taken_apart(text)
        return Labeled(slots.masked, mood_of(clause.text), plain)

    def sentence(self, text: str, expected: str) -> Iterator[Labeled]:
        """Yields the phrase if exactly one plain command causes the expected actions.

        The slots of the plain command are filled from the phrase.
        """
        if expected == "defer":
            yield self.phrase(text, NOTHING)
            return
        clause, slots = self._taken_apart(text)
        wanted = sorted(expected.removesuffix(_DESCRIPTION).split())
        for plain in self._plains:
            described = expected.endswith(_DESCRIPTION) == (plain == _SIGHT)
            if described and [sorted(meant.split()) for meant in self._meant(plain, clause, slots)] == [wanted]:
                yield self.phrase(text, plain)
                return

    def _taken_apart(self, text: str) -> tuple[Clause, Slots]:
        clause = phrase_taken_apart(joined(word for word in words_of(text) if not word.is_mark))
        return clause, slots_of(clause.core, self._vocabulary)

    def _meant(self, plain: str, clause: Clause, slots: Slots) -> Iterator[str]:
        for core in slots.ways(plain):
            way = replace(clause, core=core, text=core if clause.plain else clause.text)
            yield from (_told(meaning) for meaning in self._rules.meanings_of(way))


def _told(actions: Sequence[Action]) -> str:
    return "; ".join(
        " ".join([action.tool, *(f"{name}={value}" for name, value in action.arguments.items())]) for action in actions
    )
