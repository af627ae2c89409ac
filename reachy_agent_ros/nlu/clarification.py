"""Understanding the answer to a clarifying question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.nlu.clause import Clause, take_apart
from reachy_agent_ros.nlu.decision import Action, Decision, Kind
from reachy_agent_ros.nlu.direction import DIRECTION, head_angles
from reachy_agent_ros.nlu.text import joined, words_of
from reachy_agent_ros.nlu.wording import wording

_PART = re.compile(
    r"(?:(?:i mean|i meant|turn|move|only|with|rotate|it is|that is) )*"
    r"(?:(?:your|the|my) )?(?:whole )?(?P<part>head|body)"
)
_DIRECTION = re.compile(DIRECTION)
_PLACES = ("first", "second", "third", "former")
_PLACE = re.compile(rf"(?:the )?(?P<place>{'|'.join(_PLACES)}|latter|last)(?: (?:1|one|option|thing))?")
_NO_CONTENT = frozenset(("the", "your", "my", "a", "to", "you", "i", "mean", "meant", "should", "do", "one", "1", "at"))
_TOOLS = {"head": "move_head", "body": "rotate_body"}


def choose(text: str, asked: Decision) -> Decision | None:
    """Picks the meaning a person's answer names.

    Args:
        text: The answer: a part of the body, a direction, "the first one", or words of the question.
        asked: The decision whose question it answers.

    Returns:
        What to do now, or None if the text is no answer to it.
    """
    clause = take_apart(joined(word for word in words_of(text) if not word.is_mark))
    chosen = [actions for actions in asked.alternatives if _names(clause, actions)] or _worded(clause, asked)
    if len(chosen) != 1:
        return None
    return Decision(
        Kind.ACT,
        actions=chosen[0],
        confidence=1.0,
        wants_description=asked.wants_description,
        remainder=asked.remainder,
    )


def _worded(clause: Clause, asked: Decision) -> Sequence[tuple[Action, ...]]:
    """The alternatives that an answer names by their place or in the words of the question."""
    place = _PLACE.fullmatch(clause.core)
    if place is not None:
        index = -1 if place["place"] in ("last", "latter") else _PLACES.index(place["place"]) % 3
        return asked.alternatives[index:][:1]
    said = set(clause.core.split()) - _NO_CONTENT
    words = [set(wording(actions).split()) for actions in asked.alternatives]
    if not said or not said <= set().union(*words):
        return ()
    return [actions for actions, known in zip(asked.alternatives, words, strict=True) if said <= known]


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
