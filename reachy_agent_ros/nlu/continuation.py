"""Meaning of fragments that continue an earlier command: "a bit further", "the other way", "and the apple"."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from reachy_agent_ros.nlu import body, head
from reachy_agent_ros.nlu.clause import (
    NOTHING,
    NUMBER,
    Clause,
    Meanings,
    Size,
    call,
    command,
    take_apart,
)
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.direction import DIRECTION, TILT_DEG, YAW_DEG, side
from reachy_agent_ros.nlu.vocabulary import THING, thing_named

_ANGLE_FIRST = re.compile(rf"(?P<angle>{NUMBER})(?P<way> {DIRECTION})")
_ANGLE_LAST = re.compile(rf"{DIRECTION} {NUMBER}")

_DIRECTIONS = {"move_head": (head.BARE_DIRECTION, head.BARE_CENTER), "rotate_body": (body.BARE_SIDE, body.BARE_CENTER)}
_LINK = r"(?:(?:to|towards?|and|the|it|with|on|at|do|go|turn|try|show|be|look) )*"
_OTHER_WAY = re.compile(rf"{_LINK}(?:other|opposite|reverse) (?:way|side|direction)(?: round| around)?")
_AGAIN = re.compile(r"(?:do (?:it|that|so) |and )*(?:again|1 more time|once more)|repeat (?:it|that)")
_BACK = re.compile(r"(?:and |go |come |look )*(?:back|back again)")
_BARE_SIDE = re.compile(rf"{_LINK}(?P<side>left|right)(?: side| one| 1)?")
_THING = re.compile(rf"{_LINK}{THING}")
_PRONOUN = re.compile(r"\b(?:it|them|both)\b")
_PARTS = {"set_antennas": "your antennas", "move_head": "your head", "rotate_body": "your body"}
_FURTHER = re.compile(
    r"(?:(?:go|keep going|turn|look|move|even|still|and) )*(?:more|further|farther|keep going)"
    r"(?: (?:to the )?(?P<way>left|right|up|down))?"
)
_FURTHER_DEG = {
    "move_head": {Size.LITTLE: 10.0, Size.NORMAL: 20.0, Size.FAR: 60.0},
    "rotate_body": {Size.LITTLE: 20.0, Size.NORMAL: 45.0, Size.FAR: 160.0},
}
"""Additional angle of a turn that shall go further, degrees."""
_FURTHEST = {
    "move_head": {
        "yaw_deg": YAW_DEG[Size.FAR],
        "pitch_deg": TILT_DEG[Size.FAR],
        "roll_deg": TILT_DEG[Size.FAR],
    },
    "rotate_body": {"yaw_deg": body.BEHIND_DEG},
}
TURNS = frozenset(_FURTHEST)
"""Tools whose last call "further" continues. Feedback does not change how they turn."""
_WAYS = {
    ("yaw_deg", True): "left",
    ("yaw_deg", False): "right",
    ("pitch_deg", True): "down",
    ("pitch_deg", False): "up",
    ("roll_deg", True): "right",
    ("roll_deg", False): "left",
}
_MIRRORED = ("yaw_deg", "roll_deg", "y_mm")


def continued(
    steps: Sequence[Meanings], text: str, emotion: Callable[[str], str | None], rules: Callable[[Clause], Meanings]
) -> Meanings:
    """Returns the possible meanings of a fragment that refers to earlier clauses.

    Args:
        steps: Meanings of the clauses before the fragment.
        text: Fragment.
        emotion: Returns the name of the emotion for a word.
        rules: Returns the rules' meanings of a clause.
    """
    if not steps or not steps[-1]:
        return NOTHING
    last, clause = steps[-1][0], take_apart(_with_degrees(text))
    if _AGAIN.fullmatch(clause.text) or _AGAIN.fullmatch(text):
        return steps[-1]
    if len(last) == 1 and len(steps[-1]) == 1:
        meanings = _of_one(last[0], clause, emotion)
        if meanings:
            return meanings
    part = _PARTS.get(last[0].tool)
    if part is not None and _PRONOUN.search(clause.core):
        core = _PRONOUN.sub(part, clause.core, count=1)
        return rules(replace(clause, core=core))
    tools = dict.fromkeys(meaning[0].tool for meaning in steps[-1])
    return [meaning for tool in tools for rule in _DIRECTIONS.get(tool, ()) for meaning in rule(clause)]


def _with_degrees(text: str) -> str:
    """Adds the unit "degrees" to a fragment with an angle and a direction, such as "10 up" or "up 10"."""
    first = _ANGLE_FIRST.fullmatch(text)
    if first is not None:
        return f"{first['angle']} degrees{first['way']}"
    return f"{text} degrees" if _ANGLE_LAST.fullmatch(text) else text


def _further(last: Action, clause: Clause, way: str | None) -> Meanings:
    """Returns the last turn with a larger angle. Returns `NOTHING` for other actions and other directions."""
    angles = {name: angle for name, angle in last.arguments.items() if name.endswith("_deg") and angle}
    if last.tool not in _FURTHEST or len(angles) != 1 or clause.times is not None or (clause.degrees or 0.0) < 0.0:
        return NOTHING
    (axis, angle), steps = next(iter(angles.items())), _FURTHER_DEG[last.tool]
    if way is not None and _WAYS.get((axis, angle > 0.0)) != way:
        return NOTHING
    # A body or head that is at its usual limit is asked for more, so that the robot says where its limit is.
    limit = _FURTHEST[last.tool].get(axis, math.inf)
    size = abs(angle) + clause.amount(steps)
    if clause.degrees is None and abs(angle) < limit:
        size = min(size, limit)
    return command(call(last.tool, **{axis: math.copysign(size, angle)}, duration_s=clause.duration))


def _of_one(last: Action, clause: Clause, emotion: Callable[[str], str | None]) -> Meanings:
    arguments = last.arguments
    further = _FURTHER.fullmatch(clause.core)
    if further is not None:
        return _further(last, clause, further["way"])
    if _OTHER_WAY.fullmatch(clause.core) and any(arguments.get(name) for name in _MIRRORED):
        mirrored = {name: -value if name in _MIRRORED else value for name, value in arguments.items()}
        return command(Action(last.tool, mirrored))
    if last.tool == "move_head" and _BACK.fullmatch(clause.core):
        return command(call("move_head", **head.NEUTRAL, duration_s=clause.duration))
    leaning = _BARE_SIDE.fullmatch(clause.core)
    if leaning is not None and arguments.keys() <= {"roll_deg", "duration_s"} and "roll_deg" in arguments:
        return command(
            Action(last.tool, {**arguments, "roll_deg": -side(leaning["side"]) * abs(arguments["roll_deg"])})
        )
    thing = _THING.fullmatch(clause.core)
    if thing is not None and last.tool in ("find_object", "look_at_object"):
        return command(call(last.tool, name=thing_named(thing["thing"])))
    name = emotion(clause.core.split()[-1]) if clause.core and len(clause.core.split()) <= 2 else None
    if name is not None and last.tool == "express_emotion":
        return command(Action(last.tool, {**arguments, "emotion": name}))
    if clause.times is not None and not clause.core and last.tool in ("gesture", "dance") and clause.times > 0:
        kept = {name: value for name, value in arguments.items() if name != "repetitions"}
        return command(call(last.tool, **kept, repetitions=None if clause.times == 1 else clause.times))
    return NOTHING
