"""Clauses of sentences: extraction of modifiers (amount, duration, repetitions), and rules for the remaining text."""

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
    "for (?:a while|some time)": 3,
    "for (?:a|a very|a really) long (?:time|while)": 5,
    f"(?:a few|several|some)(?= {_COUNTED})": 3,
}
MOST_REPETITIONS = 5
"""Maximum number of repetitions of a gesture or dance."""

_PAUSE = re.compile(
    rf"(?:wait|pause|rest|(?:hold|hang) on|stay (?:still|there|put|here|like (?:that|this))|give (?:it|me|us)|"
    rf"hold (?:it|that)(?: for)?)(?: (?:for|about|another|a good|a further|like))* (?P<time>{NUMBER}|an?|half an?) "
    rf"(?P<unit>seconds?|secs?|s|minutes?|mins?)(?: long)?(?P<half> and a half)?"
)
_LONGEST_PAUSE = 60.0
"""Longest wait between actions, s."""

_TURNS = {"(?:a )?quarter turn": 90.0, "(?:a )?quarter of a turn": 90.0, "(?:a )?(?:half turn|half a turn)": 180.0}
"""Angles of partial turns, degrees."""

_VERY = r"(?:very|really|quite|nice and|super)"
_FOR = "in|for|over|within|during|taking|take|lasting|about|over the course of"
_SLOWLY = "slowly|gently|carefully|softly|leisurely|smoothly|in slow motion|nice and slow|slow"
_SMALL_PART = "bit|tad|touch|smidge|smidgen|hair|notch|fraction|whisker"
_SMALL_WHOLE = (
    "dance|dancing|jig|nod|shake|boogie|wiggle|snooze|nap|rest|turn|giggle|look|peek|tilt|wave|guy|robot|buddy|one|"
    "friend|fellow|smile|duck"
)
_LITTLE = (
    rf"(?:(?:by )?(?:just |only )?(?:a|1) (?:(?:little|wee|tiny|teeny|teensy|small) )?(?:{_SMALL_PART})|"
    rf"(?:just |only )?a little(?! (?:{_SMALL_WHOLE})\b)|(?:ever so )?slightly|somewhat|mildly|faintly|marginally|"
    rf"at a slight angle|a slight(?= ))"
)
"""Excludes the "a little" of "a little dance", which is not an amount."""

_FAR = (
    r"(?:all the way|as (?:far|high|low|much) as (?:you can(?: go)?|possible|it goes|it will go)|fully|completely|"
    r"far|a lot|way(?= (?:up|down|left|right|over|to the))|to the (?:limit|maximum|max)|hard|sharply)"
)


_HEAD_ALONE = re.compile(
    r"(?<=\w)(?: (?:but|and))?(?: (?:do not|without) (?:move|moving|turn|turning|rotate|rotating) (?:your|the) "
    r"(?:body|base|torso)| with (?:(?:only|just) your head|your head (?:only|alone)))$"
)
"""Excludes the body from a motion. The motions of the head never turn the body more than they need to."""


class Size(Enum):
    """Amount of a motion for which the speaker states no number."""

    LITTLE = "little"
    NORMAL = "normal"
    FAR = "far"


@dataclass(frozen=True)
class Clause:
    """Clause of a sentence, with its extracted modifiers.

    Attributes:
        text: Whole clause without courtesies.
        core: Text without the modifiers below.
        degrees: Angle, degrees, if given.
        size: Amount if no angle is given.
        duration: Duration, s, if given.
        times: Number of repetitions, if given.
    """

    text: str
    core: str
    degrees: float | None = None
    size: Size = Size.NORMAL
    duration: float | None = None
    times: int | None = None

    @property
    def plain(self) -> bool:
        """Whether the clause has no modifiers."""
        return self.core == self.text

    @property
    def can_turn(self) -> bool:
        """Whether the clause can describe a turn to a side: it has no repetitions and no negative angle."""
        return self.times is None and (self.degrees or 0.0) >= 0.0

    def amount(self, usual: Mapping[Size, float]) -> float:
        """Returns the angle in degrees: the angle in the clause, or else the `usual` angle for the clause's size."""
        return usual[self.size] if self.degrees is None else self.degrees


def take_apart(text: str) -> Clause:
    """Splits a clause of plain words (see `text.words_of`) into modifiers and the remaining text."""
    text = strip_courtesies(text)
    core, degrees = _angle_in(_HEAD_ALONE.sub("", text))
    core, duration = _duration_in(core)
    core, size = _size_in(core)
    core, times = _times_in(core)
    return Clause(text, core, degrees, size, duration, times)


Meanings = Sequence[Sequence[Action]]
"""Possible meanings of a clause: one is a command, several require a question, none means it is not understood."""

NOTHING: Meanings = ()


RuleMeaning = Callable[[re.Match[str], Clause], Meanings]
"""Returns the possible meanings of a clause that matches a rule; `NOTHING` if its modifiers do not fit."""


class PhraseRule:
    """Rule: a pattern, and the meanings of the clauses that it matches.

    Args:
        pattern: Pattern that must match the whole core of a clause. This excludes questions, negations and reported
            speech, which contain words that no rule knows.
        meanings: Returns the possible meanings of a matching clause.
    """

    def __init__(self, pattern: str | re.Pattern[str], meanings: RuleMeaning) -> None:
        self._pattern = re.compile(pattern)
        self._meanings = meanings

    def __call__(self, clause: Clause) -> Meanings:
        """Returns the meanings of a clause, or `NOTHING` if the clause does not match the pattern."""
        match = self._pattern.fullmatch(clause.core)
        return NOTHING if match is None else self._meanings(match, clause)


def call(tool: str, **arguments: Any) -> Action:
    """Creates an action. Omits arguments that are None."""
    return Action(tool, {name: value for name, value in arguments.items() if value is not None})


def command(*actions: Action) -> Meanings:
    """Returns meanings with a single entry, which consists of the given actions in order."""
    return (actions,)


def plain_call(tool: str, **arguments: Any) -> RuleMeaning:
    """Creates a rule's meaning that calls a tool. The meaning applies only to clauses without modifiers."""
    return lambda _match, clause: command(call(tool, **arguments)) if clause.plain else NOTHING


def pause(clause: Clause) -> Meanings:
    """Parses a pause between actions, such as "wait for 2 seconds"."""
    match = _PAUSE.fullmatch(clause.text)
    if match is None:
        return NOTHING
    is_named = re.search(r" for an? (?:min|hour)", match.group()) and not match.group().startswith("pause")
    if match["time"] in ("a", "an") and not is_named:  # "wait a minute" objects, and names no duration
        return NOTHING
    amount = {"a": 1.0, "an": 1.0, "half a": 0.5, "half an": 0.5}.get(match["time"]) or float(match["time"])
    seconds = (amount + 0.5 * bool(match["half"])) * (60.0 if match["unit"].startswith("min") else 1.0)
    return command(call("wait", duration_s=seconds)) if 0.0 < seconds <= _LONGEST_PAUSE else NOTHING


def timed(clause: Clause, angles: Mapping[str, float] | None, tool: str = "move_head") -> Meanings:
    """Returns the command that moves to `angles` in the clause's duration. Returns `NOTHING` if `angles` is None."""
    return NOTHING if angles is None else command(call(tool, **angles, duration_s=clause.duration))


def _angle_in(text: str) -> tuple[str, float | None]:
    """Extracts an angle from a text. Returns the remaining text, and the angle in degrees."""
    rest, degrees = _extract(
        text, rf"(?:(?:by|at|to|about|around|exactly|an|angle|of|like|a good|roughly|another) )*({NUMBER}) degrees"
    )
    if degrees is None:
        rest, degrees = _extract(
            text, rf"(?:by|at|to) ({NUMBER})(?! (?:seconds?|secs?|times|sides?|of|another|person|thing))"
        )
    if degrees is None:
        rest, degrees = _bare_angle_in(text)
    if degrees is None:
        rest, degrees = _turn_in(rest)
    return rest, None if degrees is None else float(degrees)


_SIDE = r"(?:left|right|up|down|clockwise|anticlockwise|counterclockwise)"
_BARE_ANGLE = (
    re.compile(rf"(?<!\S)(?P<angle>{NUMBER}) (?=(?:(?:to|towards) )?(?:(?:the|your) )?{_SIDE}(?: |$))"),
    re.compile(rf"(?<!\S){_SIDE}(?P<number> (?P<angle>{NUMBER}))$"),
)
_TURNED = re.compile(r"\b(?:head|body|torso|base|look|eyes|neck|chin|turn|tilt|lean|rotate|swivel|spin|twist|swing)\b")


def _bare_angle_in(text: str) -> tuple[str, str | None]:
    """Extracts an angle without a unit, next to a direction: "head right 30", "swivel your head forty to the left"."""
    match = next(filter(None, (pattern.search(text) for pattern in _BARE_ANGLE)), None)
    if match is None or _TURNED.search(text) is None or "volume" in text:
        return text, None
    start, end = match.span("number") if "number" in match.groupdict() else match.span()
    return text[:start] + text[end:], match["angle"]


def _extract(text: str, pattern: str) -> tuple[str, str | None]:
    """Extracts the first match of a pattern. Returns the remaining text, and the last group of the match."""
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
    """Extracts a duration from a text. Returns the remaining text, and the duration in seconds."""
    unit = r"(?:seconds?|secs?|s)"
    text, given = _extract(text, rf"(?:{_FOR}) (?:about )?({NUMBER}) {unit}(?: long)?")
    if given is not None:
        return text, float(given)
    text, given = _extract(text, rf"for (?:about )?({NUMBER}) minutes?(?: long)?")
    if given is not None:
        return text, 60.0 * float(given)
    for pattern, seconds in (
        (r"for a minute", 60.0),
        (rf"(?:for|over|within) a {unit}", 1.0),
        (rf"(?:for|over|within) half a {unit}", 0.5),
    ):
        text, found = _extract(text, pattern)
        if found is not None:
            return text, seconds
    text, slow = _extract(text, rf"(?:{_VERY} )?(?:{_SLOWLY})")
    if slow is not None:
        return text, 3.0
    text, _quick = _extract(text, rf"(?:{_VERY} )?(?:quickly|fast|swiftly|rapidly|briskly)")
    return text, None


def _size_in(text: str) -> tuple[str, Size]:
    """Extracts the amount of motion from a text. Returns the remaining text, and the amount."""
    text, little = _extract(text, _LITTLE)
    if little is not None:
        return text, Size.LITTLE
    text, far = _extract(text, _FAR)
    return text, Size.FAR if far is not None else Size.NORMAL


def _times_in(text: str) -> tuple[str, int | None]:
    """Extracts the number of repetitions from a text. Returns the remaining text and the number."""
    text, counted = _extract(text, r"(\d+) (?:times?(?: in a row)?|x|rounds of|of them)")
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
