"""What the head says without words: nodding, shaking, tilting, looking around, going to sleep and waking up."""

from __future__ import annotations

import re
from collections.abc import Callable

from reachy_agent_ros.mind.reflex.clause import Clause, Size
from reachy_agent_ros.mind.reflex.head import HEAD, LOOK
from reachy_agent_ros.mind.reflex.rule import NOTHING, Meanings, Rule, call, command

_MOST = 5
"""Repetitions at most; more is taken for a joke or a mishearing."""


def _gesture(name: str, default: int = 1) -> Callable[[re.Match[str], Clause], Meanings]:
    def meanings(_match: re.Match[str], clause: Clause) -> Meanings:
        times = default if clause.times is None else clause.times
        if clause.degrees is not None or clause.size is Size.FAR or not 0 < times <= _MOST:
            return NOTHING
        return command(call("gesture", gesture=name, repetitions=None if times == 1 else times))

    return meanings


RULES = (
    Rule(
        re.compile(
            rf"(?:do |give )?(?:me )?(?:a )?nod(?: {HEAD})?(?: yes)?(?: in agreement)?|say yes with {HEAD}|"
            rf"(?:move|shake) {HEAD} up and down"
        ),
        _gesture("nod", 2),
    ),
    Rule(re.compile(rf"shake {HEAD}(?: no)?|say no with {HEAD}|do a head shake"), _gesture("shake", 2)),
    Rule(re.compile(rf"(?:tilt|cock) {HEAD}(?: to the side| sideways)?"), _gesture("tilt")),
    Rule(
        re.compile(rf"{LOOK} (?:all )?around(?: you| the room)?|have a look around|look in all directions"),
        _gesture("look_around"),
    ),
    Rule(re.compile(r"wake up|wakey wakey|rise and shine|time to wake up"), _gesture("wake_up")),
    Rule(
        re.compile(r"(?:go|fall)(?: back)? (?:in)?to sleep(?: mode)?|(?:take|have) a nap|go to bed|time to sleep"),
        _gesture("go_to_sleep"),
    ),
)
"""Applied in order."""
