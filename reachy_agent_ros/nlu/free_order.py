"""Recognition of posture commands by known words for body part, verb and direction, in any order."""

from __future__ import annotations

from collections.abc import Set
from itertools import pairwise

from reachy_agent_ros.nlu.body import BODY_YAW_DEG, droop, upright, wiggle
from reachy_agent_ros.nlu.clause import NOTHING, Clause, Meanings, timed
from reachy_agent_ros.nlu.direction import ALIASES, TILT_DEG, head_angles, side
from reachy_agent_ros.nlu.text import word_set

_FILLERS = word_set(
    "a an the your yours that those these this them of to towards toward over at on onto in with for from so "
    "some little quick good and side hand way direction please again also be should needs go "
    "goes get have let make put take give do move turn bring set hold keep point pointing pointed turned by all just "
    "only whole entire here there around"
)
_WANTED = word_set("turned tilted lowered raised lifted pointed")
_LOOKS = word_set("look looking glance gaze peek stare peer face facing eyeball see check")
_HEADS = word_set("head gaze eyes chin neck nose noggin face")
_HEAD_WORDS = (
    _LOOKS
    | _HEADS
    | word_set(
        "front you rotate swivel swing direct pan angle crane twist spin cast shift steer orient nudge crank throw pop "
        "poke stick send straight directly corner wall window door shoulder far raise lift lower drop dip hang sink "
        "eye line attention"
    )
)
_LIFTS = word_set("raise lift")
_DROPS = word_set("drop dip hang sink")
_AFTER_RIGHT = word_set("up down at in there here over behind now away ahead beside next")

_ANTENNAS = word_set("antenna antennas antennae ear ears feeler feelers")
_UP = word_set(
    "up upright upward upwards vertical vertically raise raised lift perk prick hoist top ceiling sky high stand "
    "standing erect tall straighten neutral normal center middle reset"
)
_DOWN = word_set(
    "down downward downwards lower lowered drop droop droopy drooping hang hanging fall sink flat flatten fold dip low "
    "limp sag sagging lay tuck pin floor ground"
)
_WIGGLE = word_set("wiggle wiggling waggle wag wave flap flick twitch shake jiggle wobble flutter")
_ANTENNA_WORDS = _ANTENNAS | word_set("both 2 one 1 straight air back pull stick leave left right come rest me us")

_BODIES = word_set("body torso base trunk waist hips chest yourself self midsection")
_BODY_WORDS = _BODIES | word_set(
    "rotate twist spin swivel pivot swing shift steer orient nudge left right clockwise anticlockwise counterclockwise "
    "leftward leftwards rightward rightwards round upper lower"
)

_TILTS = word_set("tilt tilting tilted lean cock tip roll incline bend slant cant")
_TILT_WORDS = _TILTS | _HEADS | word_set("left right clockwise anticlockwise counterclockwise ear shoulder one")


def posture(clause: Clause) -> Meanings:
    """Returns the posture of a clause that consists of known words for one body part, without contradictions."""
    words = clause.core.split()
    if words[:2] in (["i", "want"], ["i", "need"], ["i", "would"]) and words[2:3] != ["to"]:
        rest = words[3:] if words[2:3] == ["like"] else words[2:]
        words = [word.removesuffix("ed") if word in _WANTED else word for word in rest]
    said = frozenset(words)
    if not words or words[0] in ("should", "you", "to") or (clause.degrees or 0.0) < 0.0:
        return NOTHING
    if said & _ANTENNAS:
        return _antennas(clause, said)
    if said & _BODIES:
        return _body(clause, said)
    if clause.times is not None:
        return NOTHING
    return _tilt(clause, said) if said & _TILTS else _look(clause, words, said)


def _look(clause: Clause, words: list[str], said: Set[str]) -> Meanings:
    ways = list(dict.fromkeys(ALIASES[word] for word in words if word in ALIASES))
    if not ways and said & _HEADS:
        ways = ["up"] if said & _LIFTS else ["down"] if said & _DROPS else []
    known = said <= _HEAD_WORDS | _FILLERS | ALIASES.keys()
    adverb = any(first == "right" and second in _AFTER_RIGHT for first, second in pairwise(words))
    dangling = words[-1] in ("on", "at", "to", "of", "for", "with")
    if not ways or not known or adverb or dangling or not said & (_LOOKS | _HEADS):
        return NOTHING
    return timed(clause, head_angles(ways, clause))


def _tilt(clause: Clause, said: Set[str]) -> Meanings:
    sides = _sides(said)
    if len(sides) != 1 or not said <= _TILT_WORDS | _FILLERS:
        return NOTHING
    return timed(clause, {"roll_deg": -sides.pop() * clause.amount(TILT_DEG)})


def _antennas(clause: Clause, said: Set[str]) -> Meanings:
    if not said <= _ANTENNA_WORDS | _UP | _DOWN | _WIGGLE | _FILLERS or len(_sides(said)) == 2:
        return NOTHING
    up, down, wiggled = (bool(said & words) for words in (_UP, _DOWN, _WIGGLE))
    if up + down + wiggled != 1:
        return NOTHING
    only = min(said & {"left", "right"}, default=None)
    return upright(clause, only) if up else droop(clause, only) if down else wiggle(clause, only)


def _body(clause: Clause, said: Set[str]) -> Meanings:
    sides = _sides(said)
    if len(sides) != 1 or clause.times is not None or not said <= _BODY_WORDS | _FILLERS:
        return NOTHING
    return timed(clause, {"yaw_deg": sides.pop() * clause.amount(BODY_YAW_DEG)}, "rotate_body")


def _sides(said: Set[str]) -> set[int]:
    return {side(word) for word in said} - {0}
