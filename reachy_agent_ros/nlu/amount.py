"""How much, how long and how often, in words."""

from __future__ import annotations

import re
from enum import Enum

NUMBER = r"-?\d+(?:\.\d+)?"

_COUNTED = r"(?:(?:little|quick|big|small|slow|head) )?(?:nods|shakes|wiggles|tilts|dances)\b"
_ONE = r"(?:(?:little|quick|big|small|slow|head) )?(?:nod|shake|wiggle|tilt|dance)\b"
_TIMES = {
    "once": 1,
    "1 time": 1,
    "twice": 2,
    "thrice": 3,
    "(?:a couple of|a couple) times": 2,
    "(?:a few|several) times": 3,
    f"(?:a couple of|a couple)(?= {_COUNTED})": 2,
    "(?:a )?(?:double|twofold)(?= (?:nod|shake))": 2,
    "(?:a )?single(?= (?:nod|shake|wiggle|tilt))": 1,
    "(?:a )?triple(?= (?:nod|shake))": 3,
    "(?:a )?(?:handful of|number of) times": 3,
    f"(?:a few|several|some)(?= {_COUNTED})": 3,
}
_TURNS = {"(?:a )?quarter turn": 90.0, "(?:a )?quarter of a turn": 90.0, "(?:a )?(?:half turn|half a turn)": 180.0}
"""Degrees."""


_VERY = r"(?:very|really|quite|nice and|super)"


class Size(Enum):
    """How much, where no number is given."""

    LITTLE = "little"
    NORMAL = "normal"
    FAR = "far"


def angle_in(text: str) -> tuple[str, float | None]:
    """Cuts an angle out: the rest, and degrees."""
    rest, degrees = _extract(text, rf"(?:(?:by|at|to|about|around|exactly|an|angle|of) )*({NUMBER}) degrees")
    if degrees is None:
        rest, degrees = _extract(
            text, rf"(?:by|at|to) ({NUMBER})(?! (?:seconds?|secs?|times|sides?|of|another|person|thing))"
        )
    if degrees is None:
        rest, degrees = _turn(rest)
    return rest, None if degrees is None else float(degrees)


def _extract(text: str, pattern: str) -> tuple[str, str | None]:
    """Cuts the first match out, whole words only; returns its last group."""
    match = re.search(rf"(?:^|(?<= )){pattern}(?= |$)", text)
    if match is None:
        return text, None
    rest = f"{text[: match.start()].strip()} {text[match.end() :].strip()}".strip()
    return rest, match.group(match.lastindex or 0)


_FOR = "in|for|over|within|during|taking|take|lasting|about|over the course of"
_SLOWLY = "slowly|gently|carefully|softly|leisurely|smoothly|in slow motion|nice and slow|slow"


def _turn(text: str) -> tuple[str, str | None]:
    for phrase, angle in _TURNS.items():
        rest, found = _extract(text, rf"(?:(?:by|for|do|make) )?({phrase})")
        if found is not None and rest:
            return rest, str(angle)
    return text, None


def duration_in(text: str) -> tuple[str, float | None]:
    """Cuts a duration out: the rest, and seconds."""
    unit = r"(?:seconds?|secs?|s)"
    text, given = _extract(text, rf"(?:{_FOR}) (?:about )?({NUMBER}) {unit}(?: long)?")
    if given is not None:
        return text, float(given)
    for pattern, seconds in ((rf"(?:for|over|within) a {unit}", 1.0), (rf"(?:for|over|within) half a {unit}", 0.5)):
        text, found = _extract(text, pattern)
        if found is not None:
            return text, seconds
    text, slow = _extract(text, rf"(?:{_VERY} )?(?:{_SLOWLY})")
    if slow is not None:
        return text, 3.0
    text, _quick = _extract(text, rf"(?:{_VERY} )?(?:quickly|fast|swiftly|rapidly|briskly)")
    return text, None


_SMALL_PART = "bit|tad|touch|smidge|smidgen|hair|notch|fraction|whisker"
_SMALL_WHOLE = (
    "dance|dancing|jig|nod|shake|boogie|wiggle|snooze|nap|rest|turn|giggle|look|peek|tilt|wave|guy|robot|buddy|one|"
    "friend|fellow|smile|duck"
)
_LITTLE = (
    rf"(?:(?:by )?(?:just |only )?a (?:(?:little|wee|tiny|teeny|teensy|small) )?(?:{_SMALL_PART})|"
    rf"(?:just |only )?a little(?! (?:{_SMALL_WHOLE})\b)|(?:ever so )?slightly|somewhat|mildly|faintly|marginally|"
    rf"at a slight angle|a slight(?= ))"
)
"""Not the "a little" of "a little dance", which says nothing of how much."""


_FAR = (
    r"(?:all the way|as (?:far|high|low|much) as (?:you can(?: go)?|possible|it goes|it will go)|fully|completely|"
    r"far|a lot|way(?= (?:up|down|left|right|over|to the))|to the (?:limit|maximum|max)|hard|sharply)"
)


def size_in(text: str) -> tuple[str, Size]:
    """Cuts out how much: the rest, and how much."""
    text, little = _extract(text, _LITTLE)
    if little is not None:
        return text, Size.LITTLE
    text, far = _extract(text, _FAR)
    return text, Size.FAR if far is not None else Size.NORMAL


def times_in(text: str) -> tuple[str, int | None]:
    """Cuts out how often: the rest, and how often."""
    text, counted = _extract(text, r"(\d+) (?:times(?: in a row)?|x|rounds of)")
    if counted is not None:
        return text, int(counted)
    text, counted = _extract(text, rf"(\d+(?= {_COUNTED})|1(?= (?:single )?{_ONE}))(?: single)?")
    if counted is not None:
        return text, int(counted)
    for phrase, count in _TIMES.items():
        text, found = _extract(text, rf"{phrase}(?: in a row)?")
        if found is not None:
            return text, count
    return text, None
