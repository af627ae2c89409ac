"""Slots of a freely phrased command: side, direction, part of the body, object, emotion, dance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reachy_agent_ros.nlu.direction import ALIASES
from reachy_agent_ros.nlu.vocabulary import NOUNS, PLURALS, Vocabulary, compound_in, thing_named

_SIDES = {word: way for word, way in ALIASES.items() if way in ("left", "right")}
_HEIGHTS = {word: way for word, way in ALIASES.items() if way in ("up", "down")} | {"high": "up", "low": "down"}
_LIFTING = dict.fromkeys(("raise", "lift"), "up") | dict.fromkeys(("drop", "bow", "dip", "hang", "sink"), "down")
"""Verbs that imply a direction if no other word does."""

_SLOT = re.compile(r"\{(\w+)\}")
_ANTENNA = re.compile(r"\b(?:antennas?|antennae|ears?|feelers?)\b(?!.*\bshoulder)")
_ANTENNA_WORDS = frozenset(("antenna", "antennae", "ear", "ears", "feeler", "feelers"))
_BODY = re.compile(r"\b(?:body|torso|base|trunk|waist|hips?|chest|midsection|bodily|pedestal)\b")
_FACE = re.compile(r"\b(?:a|an|the|any|some) (?:face|person|human|people)\b(?! (?:tracking|following))")
_OTHERWISE_NAMED = (
    "camera window door robot screen can glass table picture painting watch flower light bed speaker ring"
)
_ALSO_NO_THING = frozenset(word for word, noun in NOUNS.items() if noun == "face") | set(_OTHERWISE_NAMED.split())
_OTHERWISE_USED = "smile smiling goodbye attention thinking thought agreement agreeing approval interested interest"
_ALSO_NO_EMOTION = frozenset(_OTHERWISE_USED.split())
"""Words for emotions that also occur in other phrases."""


@dataclass(frozen=True)
class Slots:
    """Slot values of a phrase, and the phrase with masked slots.

    Attributes:
        masked: Phrase with one representative word for each kind of slot: left for right, duck for apple.
        values: Values for a plain command, by slot.
        one_sided: Whether the phrase names exactly one of left and right.
        contradictory: Whether the phrase names both left and right, or both up and down.
    """

    masked: str
    values: dict[str, str]
    one_sided: bool
    contradictory: bool

    def ways(self, plain: str) -> Sequence[str]:
        """Fills in the slots of a plain command. Returns all variants if only the side or the direction is missing.

        Returns none if another slot is missing, or if a slot is missing and the phrase is contradictory.
        """
        lacks = set(_SLOT.findall(plain)) - self.values.keys()
        if not lacks:
            return [plain.format(**self.values)]
        if self.contradictory:
            return ()
        if lacks == {"side"}:
            return [plain.format(**self.values | {"side": side}) for side in ("left", "right")]
        return [f"look {way}" for way in ("left", "right", "up", "down")] if lacks == {"direction"} else ()


def slots_of(phrase: str, vocabulary: Vocabulary) -> Slots:
    """Finds the slots in a phrase of plain words (see `text.words_of`)."""
    values: dict[str, str] = {}
    dance = vocabulary.dance_in(phrase)
    if dance is not None:
        phrase = phrase.replace(dance, "simple nod")
        values["dance"] = dance
    compound = compound_in(phrase)
    if compound is not None:
        phrase = phrase.replace(compound, "duck")
    phrase = re.sub(r"\bcounter clockwise|anti clockwise\b", "anticlockwise", phrase)
    words = phrase.replace("would love", "would like").split()
    sides = _named(words, _SIDES)
    heights = _named(words, _HEIGHTS) or (_named(words, _LIFTING) if not sides else set())
    if len(sides) == 1:
        values["side"] = min(sides)
    if len(sides) < 2 and len(heights) < 2 and sides | heights:
        values["direction"] = " ".join([*heights, *sides])
    if _ANTENNA.search(phrase):
        values["antenna"] = f"{min(sides)} antenna" if len(sides) == 1 else "antennas"
    if _BODY.search(phrase):
        values["body"] = "body"
    things = _things(words, compound)
    if not things and not sides and _FACE.search(phrase):
        things = {"face"}
        words = _FACE.sub("the duck", phrase).split()
    if len(things) == 1:
        values["thing"] = min(things)
    emotions = {emotion for word in words if (emotion := vocabulary.emotion(word)) is not None}
    if len(emotions) == 1:
        values["emotion"] = min(emotions)
    masked = " ".join(_masked(word, vocabulary) for word in words)
    return Slots(masked, values, len(sides) == 1, contradictory=len(sides) == 2 or len(heights) == 2)


def _named(words: Iterable[str], names: dict[str, str]) -> set[str]:
    return {names[word] for word in words if word in names}


def _things(words: Iterable[str], compound: str | None) -> set[str]:
    """Returns the names of the objects in a phrase. The word "duck" in the phrase stands for `compound`."""
    things = {thing_named(word) for word in words if _is_thing(word)}
    return {thing_named(compound)} if compound is not None and things == {"duck"} else things


def _is_thing(word: str) -> bool:
    return NOUNS.get(PLURALS.get(word, word)) is not None and PLURALS.get(word, word) not in _ALSO_NO_THING


def _masked(word: str, vocabulary: Vocabulary) -> str:
    if word in _SIDES:
        return "left"
    if word in _ANTENNA_WORDS:
        return "antennas"
    if _is_thing(word):
        return "duck"
    if vocabulary.emotion(word) is not None and word not in _ALSO_NO_EMOTION:
        return "happy"
    return word
