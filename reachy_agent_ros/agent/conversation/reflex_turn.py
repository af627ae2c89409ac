"""Doing what the reflex decided."""

from __future__ import annotations

import json
from collections.abc import Sequence

from reachy_agent_ros.agent import phrases
from reachy_agent_ros.agent.conversation.turn import Turn
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX, TurnTools
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.nlu.decision import Action

_DESCRIBE = Action("describe_image", {})


async def act(turn: Turn, tools: TurnTools, actions: Sequence[Action], wants_description: bool) -> str | None:
    """Carries out actions in order, up to the first that fails, and replies what came of them.

    Args:
        turn: Whose actions.
        tools: The turn's.
        actions: What to do.
        wants_description: Whether the person also asked what the robot sees.

    Returns:
        For a model, what was done already; None after a failure, which the turn's result has.
    """
    turn.result.agent = REFLEX
    source, origin = tools.source_of_others(actions)
    results: list[str] = []
    for index, action in enumerate(actions):
        outcome = await tools.act(index, action)
        if outcome.error is not None:
            turn.result.error = outcome.error
            told = _joined(phrases.done(actions[: len(results)], results), phrases.failed(action, outcome.error))
            turn.reply(told, source, origin)
            return None
        results.append(outcome.result_json)
    description = await _description(turn, tools) if wants_description else ""
    told = phrases.done(actions, results)
    if told:
        turn.reply(f"{told} " if description else told, source, origin)
    if description:
        turn.reply(description, *tools.source_of_others([_DESCRIBE]))
    if not told and not description:
        turn.note(phrases.SAID)
    return "; ".join(f"{action.tool} {action.arguments_json}" for action in actions)


async def _description(turn: Turn, tools: TurnTools) -> str:
    """What the robot sees, in words; where it cannot tell, why."""
    outcome = await tools.call(_DESCRIBE.tool, "{}")
    if outcome.error is None:
        return str(json.loads(outcome.result_json)["description"])
    turn.result.error = outcome.error
    if outcome.error.code is ErrorCode.UNKNOWN_TOOL:
        return phrases.CANNOT_DESCRIBE
    return phrases.failed(_DESCRIBE, outcome.error)


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))
