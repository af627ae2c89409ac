"""Understanding the answer to a clarifying question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.mind.reflex.clause import Clause, take_apart
from reachy_agent_ros.mind.reflex.decision import Action, Decision, Kind
from reachy_agent_ros.mind.reflex.direction import DIRECTION, head_angles
from reachy_agent_ros.mind.reflex.text import joined, words_of

_PART = re.compile(
    r"(?:(?:i mean|i meant|turn|move|only|with|rotate|it is|that is) )*"
    r"(?:(?:your|the|my) )?(?:whole )?(?P<part>head|body)"
)
_DIRECTION = re.compile(DIRECTION)
_TOOLS = {"head": "move_head", "body": "rotate_body"}


def choose(text: str, asked: Decision) -> Decision | None:
    """Picks the meaning a person's answer names.

    Args:
        text: The answer: a part of the body or a direction.
        asked: The decision whose question it answers.

    Returns:
        What to do now, or None if the text is no answer to it.
    """
    clause = take_apart(joined(word for word in words_of(text) if not word.is_mark))
    chosen = [actions for actions in asked.alternatives if _names(clause, actions)]
    if len(chosen) != 1:
        return None
    return Decision(
        Kind.ACT,
        actions=chosen[0],
        confidence=1.0,
        wants_description=asked.wants_description,
        remainder=asked.remainder,
    )


def _names(clause: Clause, actions: Sequence[Action]) -> bool:
    part = _PART.fullmatch(clause.core)
    if part is not None:
        return actions[0].tool == _TOOLS[part["part"]]
    direction = _DIRECTION.fullmatch(clause.core)
    if direction is None or actions[0].tool != "move_head":
        return False
    angles = head_angles((direction["first"], direction["second"]), clause) or {}
    given = {name: value for name, value in actions[0].arguments.items() if name.endswith("_deg")}
    return angles.keys() == given.keys() and all(angles[name] * given[name] > 0.0 for name in given)
