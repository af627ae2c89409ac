"""The phrases that the robot comes with, as they are compared with what is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

from reachy_agent_ros.mind.embedding import SentenceEmbedder
from reachy_agent_ros.mind.reflex.clause import Clause, take_apart
from reachy_agent_ros.mind.reflex.exemplars import NOTHING, exemplars
from reachy_agent_ros.mind.reflex.nearest import NearestExemplars
from reachy_agent_ros.mind.reflex.slots import slots_of
from reachy_agent_ros.mind.reflex.vocabulary import Vocabulary

_DENIAL = re.compile(r"no (?:need|more|longer|\w+ing|photos?|pictures?|nods?)\b")
_INDIRECT = re.compile(r"^(?:could|would) (?=(?:both|your|those|all)\b)")
_MISHEARD = re.compile(r"\byou (head|body|torso|ears?|antennas?|eyes|chin|neck|(?:left|right)$)\b")
_FUNCTION = (
    "a an the your you me my i us it its to of for on in at by with and or so just now then there here please this "
    "that these those up down left some any all both one 1 be is are as like from into over go get do have make let "
    "can could would will should want need robot reachy very really quite more bit again also too head face eyes"
)
_FUNCTION_WORDS = frozenset(_FUNCTION.split())


class KnownPhrases:
    """All exemplars, their words and their vectors.

    Args:
        vocabulary: What the robot can express.
        embedder: Gives the sentence embedder; called when the first likeness is wanted.
    """

    def __init__(self, vocabulary: Vocabulary, embedder: Callable[[], SentenceEmbedder]) -> None:
        self._embedder = embedder
        self._masked = [slots_of(phrase_taken_apart(one.phrase).core, vocabulary).masked for one in exemplars()]
        labels = [one.plain for one in exemplars()]
        self._commands = frozenset(
            phrase for phrase, plain in zip(self._masked, labels, strict=True) if plain != NOTHING
        )
        stems = frozenset(_stem(word) for phrase in self._commands for word in phrase.split())
        self._words = stems | _FUNCTION_WORDS

    def __contains__(self, masked: str) -> bool:
        return masked in self._commands

    def unknown_words(self, masked: str) -> int:
        """How many words of a masked phrase no exemplar has."""
        return sum(_stem(word) not in self._words for word in masked.split())

    def similarities(self, masked: str) -> Mapping[str, float]:
        """Cosine of the nearest exemplar of each plain command."""
        return self._nearest.similarities(masked)

    @cached_property
    def _nearest(self) -> NearestExemplars:
        return NearestExemplars(self._embedder(), self._masked, [one.plain for one in exemplars()])


def phrase_taken_apart(phrase: str) -> Clause:
    """A clause as free phrasing reads it: what recognisers mishear is mended, a denial is no courtesy."""
    clause = take_apart(_INDIRECT.sub("", _MISHEARD.sub(r"your \1", phrase)))
    # "No nodding" is no courtesy and a command.
    return replace(clause, text=phrase, core=phrase) if _DENIAL.match(phrase) else clause


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending).removesuffix("e")
    return word.removesuffix("e")
