"""What the head says without words: nodding, shaking, tilting, looking around, going to sleep and waking up."""

from __future__ import annotations

import re
from collections.abc import Callable

from reachy_agent_ros.nlu.amount import Size
from reachy_agent_ros.nlu.clause import Clause
from reachy_agent_ros.nlu.head import HEAD, LOOK
from reachy_agent_ros.nlu.rule import NOTHING, Meanings, Rule, call, command

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
            rf"(?:do |give )?(?:me )?(?:a )?nod(?: {HEAD})?(?: yes)?(?: in agreement)?|say yes (?:with {HEAD}|by "
            rf"nodding)|"
            rf"bob {HEAD}|(?:move|shake|bob|rock) {HEAD} up (?:and )?down|"
            rf"(?:signal|indicate|gesture) (?:yes|agreement)(?: with {HEAD})?|nod(?: {HEAD})? (?:away|along|"
            rf"vigorously|approvingly|politely|to me|at me)"
        ),
        _gesture("nod", 2),
    ),
    Rule(
        re.compile(
            rf"(?:shake|wag) {HEAD}(?: no| in (?:disagreement|disapproval))?|(?:do |give (?:me |us )?)?(?:a )?"
            rf"(?:head shake|shake of {HEAD})|(?:say|signal|indicate|gesture|answer) no(?: (?:with|by shaking) {HEAD}| "
            rf"without (?:words|speaking|talking))"
        ),
        _gesture("shake", 2),
    ),
    Rule(
        re.compile(
            rf"(?:tilt|cock|lean|tip|put) {HEAD} (?:(?:to|on|over to) (?:the|1|one) side|sideways)|"
            rf"(?:tilt|cock) {HEAD}(?: (?:quizzically|curiously|(?:like|as if) .+))?|(?:do |give me )?(?:a "
            rf")?(?:cute )?head tilt"
        ),
        _gesture("tilt"),
    ),
    Rule(
        re.compile(
            rf"{LOOK} (?:all )?(?:around|round|about)(?: you| the room| yourself)?|(?:have|take) a (?:good |quick "
            rf")?look "
            rf"(?:around|round|about)(?: you| the room)?|look (?:in all directions|in every direction|everywhere|"
            rf"all over the (?:place|room))|(?:survey|scan|inspect|explore|check out) (?:the|your) "
            rf"(?:room|place|area|surroundings|environment)|check out what is around(?: you)?"
        ),
        _gesture("look_around"),
    ),
    Rule(
        re.compile(
            r"(?:wake|get) up|wake yourself up|wakey wakey|rise and shine|(?:it is )?time to (?:wake|get) up|awaken|"
            r"(?:get )?out of bed|(?:activate|rouse|awaken) yourself|up you get|up and at them"
        ),
        _gesture("wake_up"),
    ),
    Rule(
        re.compile(
            r"(?:go|fall)(?: back)? (?:in)?to sleep(?: mode)?|(?:take|have) a nap|go to bed|time to sleep|"
            r"(?:get|catch) some (?:sleep|rest|z is|zs|shut ?eye)|(?:have|take) a (?:rest|snooze|nap)|"
            r"(?:went|go) to sleep|(?:nap|bed) ?time|rest(?: for a (?:while|bit))?|sleep(?: now)?|slumber|"
            r"(?:it is )?time for (?:bed|a nap|sleep|your (?:\w+ )?(?:sleep|nap|bed))|off to (?:bed|sleep)(?: with "
            r"you)?|"
            r"go (?:in)?to (?:standby|sleep mode)|put yourself to (?:bed|sleep)|lie down"
        ),
        _gesture("go_to_sleep"),
    ),
)
"""Applied in order."""

_UP_AND_DOWN = Rule(re.compile(rf"(?:move|shake|bob|rock) {HEAD} up (?:and )?down"), _gesture("nod", 2))


def up_and_down(clause: Clause) -> Meanings:
    """A nod that would be two looks, were it cut at its "and"."""
    return _UP_AND_DOWN(clause)
