"""What the head says without words: nodding, shaking, looking around."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from reachy_agent_ros.mind.reflex.clause import Clause, Size
from reachy_agent_ros.mind.reflex.head import HEAD, LOOK, NEUTRAL
from reachy_agent_ros.mind.reflex.rule import NOTHING, Meanings, Rule, call, command

_NOD = ({"pitch_deg": 15.0}, {"pitch_deg": -8.0})
_SHAKE = ({"yaw_deg": 20.0}, {"yaw_deg": -20.0})
_AROUND = ({"yaw_deg": 45.0}, {"yaw_deg": -45.0})

_STROKE_S = 0.35
"""Seconds of one stroke of a nod or shake."""

_MOST = 5
"""Repetitions at most; more is taken for a joke or a mishearing."""


def _gesture(
    strokes: Sequence[Mapping[str, float]], default: int, stroke_s: float | None
) -> Callable[[re.Match[str], Clause], Meanings]:
    def meanings(_match: re.Match[str], clause: Clause) -> Meanings:
        times = default if clause.times is None else clause.times
        if clause.degrees is not None or clause.size is Size.FAR or not 0 < times <= _MOST:
            return NOTHING
        poses = [*strokes] * times
        return command(*(call("move_head", **pose, duration_s=stroke_s) for pose in [*poses, NEUTRAL]))

    return meanings


RULES = (
    Rule(
        re.compile(
            rf"(?:do |give )?(?:me )?(?:a )?nod(?: {HEAD})?(?: yes)?(?: in agreement)?|say yes with {HEAD}|"
            rf"(?:move|shake) {HEAD} up and down"
        ),
        _gesture(_NOD, 2, _STROKE_S),
    ),
    Rule(
        re.compile(rf"shake {HEAD}(?: no)?|say no with {HEAD}|do a head shake"),
        _gesture(_SHAKE, 2, _STROKE_S),
    ),
    Rule(
        re.compile(rf"{LOOK} (?:all )?around(?: you| the room)?|have a look around|look in all directions"),
        _gesture(_AROUND, 1, None),
    ),
)
"""Applied in order."""
