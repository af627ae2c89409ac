"""One clause: its modifiers (how much, how long, how often), and the rules that match what is left of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.text import strip_courtesies

NUMBER = r"-?\d+(?:\.\d+)?"
"""Pattern of a number in digits."""

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
_FOR = "in|for|over|within|during|taking|take|lasting|about|over the course of"
_SLOWLY = "slowly|gently|carefully|softly|leisurely|smoothly|in slow motion|nice and slow|slow"
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


class Size(Enum):
    """How much, where no number is given."""

    LITTLE = "little"
    NORMAL = "normal"
    FAR = "far"


@dataclass(frozen=True)
class Clause:
    """A clause taken apart.

    Attributes:
        text: The whole clause without courtesies.
        core: What is left of it without the modifiers below.
        degrees: Angle, if one is given.
        size: How much otherwise.
        duration: s, if given.
        times: How often, if given.
    """

    text: str
    core: str
    degrees: float | None = None
    size: Size = Size.NORMAL
    duration: float | None = None
    times: int | None = None

    @property
    def plain(self) -> bool:
        """Whether it has no modifier at all."""
        return self.core == self.text

    @property
    def can_turn(self) -> bool:
        """Whether it can be a turn to a named side: it says neither how often nor a negative angle."""
        return self.times is None and (self.degrees or 0.0) >= 0.0

    def amount(self, usual: Mapping[Size, float]) -> float:
        """Degrees: the angle if one is given, otherwise what its size `usual`ly comes to."""
        return usual[self.size] if self.degrees is None else self.degrees


def take_apart(text: str) -> Clause:
    """Reads a clause of plain words (see `text.words_of`)."""
    text = strip_courtesies(text)
    core, degrees = _angle_in(text)
    core, duration = _duration_in(core)
    core, size = _size_in(core)
    core, times = _times_in(core)
    return Clause(text, core, degrees, size, duration, times)


Meanings = Sequence[Sequence[Action]]
"""What a clause may mean: one entry is a command, several are a question, none is nothing."""

NOTHING: Meanings = ()


RuleMeaning = Callable[[re.Match[str], Clause], Meanings]
"""What a clause may mean that matches a rule; `NOTHING` if it does not fit after all."""


class PhraseRule:
    """A pattern and its meaning.

    Args:
        pattern: Must match the clause's core from end to end, which is what keeps questions, negations and
            reported speech out: they have words that no rule knows.
        meanings: What the clause may mean.
    """

    def __init__(self, pattern: str | re.Pattern[str], meanings: RuleMeaning) -> None:
        self._pattern = re.compile(pattern)
        self._meanings = meanings

    def __call__(self, clause: Clause) -> Meanings:
        """Applies the rule."""
        match = self._pattern.fullmatch(clause.core)
        return NOTHING if match is None else self._meanings(match, clause)


def call(tool: str, **arguments: Any) -> Action:
    """An action; arguments that are None are left out."""
    return Action(tool, {name: value for name, value in arguments.items() if value is not None})


def command(*actions: Action) -> Meanings:
    """The one meaning of these actions in a row."""
    return (actions,)


def plain_call(tool: str, **arguments: Any) -> RuleMeaning:
    """The meaning of a rule that calls a tool, if the clause has no modifier at all."""
    return lambda _match, clause: command(call(tool, **arguments)) if clause.plain else NOTHING


def timed(clause: Clause, angles: Mapping[str, float] | None, tool: str = "move_head") -> Meanings:
    """A motion to `angles` in the clause's duration."""
    return NOTHING if angles is None else command(call(tool, **angles, duration_s=clause.duration))


def _angle_in(text: str) -> tuple[str, float | None]:
    """Cuts an angle out: the rest, and degrees."""
    rest, degrees = _extract(text, rf"(?:(?:by|at|to|about|around|exactly|an|angle|of) )*({NUMBER}) degrees")
    if degrees is None:
        rest, degrees = _extract(
            text, rf"(?:by|at|to) ({NUMBER})(?! (?:seconds?|secs?|times|sides?|of|another|person|thing))"
        )
    if degrees is None:
        rest, degrees = _turn_in(rest)
    return rest, None if degrees is None else float(degrees)


def _extract(text: str, pattern: str) -> tuple[str, str | None]:
    """Cuts the first match out, whole words only; returns its last group."""
    match = re.search(rf"(?:^|(?<= )){pattern}(?= |$)", text)
    if match is None:
        return text, None
    rest = f"{text[: match.start()].strip()} {text[match.end() :].strip()}".strip()
    return rest, match.group(match.lastindex or 0)


def _turn_in(text: str) -> tuple[str, str | None]:
    for phrase, angle in _TURNS.items():
        rest, found = _extract(text, rf"(?:(?:by|for|do|make) )?({phrase})")
        if found is not None and rest:
            return rest, str(angle)
    return text, None


def _duration_in(text: str) -> tuple[str, float | None]:
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


def _size_in(text: str) -> tuple[str, Size]:
    """Cuts out how much: the rest, and how much."""
    text, little = _extract(text, _LITTLE)
    if little is not None:
        return text, Size.LITTLE
    text, far = _extract(text, _FAR)
    return text, Size.FAR if far is not None else Size.NORMAL


def _times_in(text: str) -> tuple[str, int | None]:
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
