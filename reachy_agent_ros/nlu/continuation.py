"""What a fragment means after a command: "then right", "the other way", "no, angry", "again"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from reachy_agent_ros.nlu import body, head
from reachy_agent_ros.nlu.clause import Clause, take_apart
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.direction import side
from reachy_agent_ros.nlu.rule import NOTHING, Meanings, call, command
from reachy_agent_ros.nlu.things import THING, thing_named

_DIRECTIONS = {"move_head": (head.BARE_DIRECTION, head.BARE_CENTER), "rotate_body": (body.BARE_SIDE, body.BARE_CENTER)}
_LINK = r"(?:(?:to|towards?|and|the|it|with|on|at|do|go|turn|try|show|be|look) )*"
_OTHER_WAY = re.compile(rf"{_LINK}(?:other|opposite|reverse) (?:way|side|direction)(?: round| around)?")
_AGAIN = re.compile(r"(?:do (?:it|that|so) |and )*(?:again|1 more time|once more)|repeat (?:it|that)")
_BACK = re.compile(r"(?:and |go |come |look )*(?:back|back again)")
_BARE_SIDE = re.compile(rf"{_LINK}(?P<side>left|right)(?: side| one| 1)?")
_THING = re.compile(rf"{_LINK}{THING}")
_PRONOUN = re.compile(r"\b(?:it|them|both)\b")
_PARTS = {"set_antennas": "your antennas", "move_head": "your head", "rotate_body": "your body"}
_MIRRORED = ("yaw_deg", "roll_deg", "y_mm")


def continued(
    steps: Sequence[Meanings], text: str, emotion: Callable[[str], str | None], rules: Callable[[Clause], Meanings]
) -> Meanings:
    """What a fragment means.

    Args:
        steps: What was understood before it.
        text: The fragment.
        emotion: Name of the emotion a word stands for.
        rules: What the rules make of a clause.
    """
    if not steps or not steps[-1]:
        return NOTHING
    last, clause = steps[-1][0], take_apart(text)
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


def _of_one(last: Action, clause: Clause, emotion: Callable[[str], str | None]) -> Meanings:
    arguments = last.arguments
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
    if clause.times is not None and not clause.core and last.tool in ("gesture", "dance") and 0 < clause.times <= 5:
        kept = {name: value for name, value in arguments.items() if name != "repetitions"}
        return command(call(last.tool, **kept, repetitions=None if clause.times == 1 else clause.times))
    return NOTHING
