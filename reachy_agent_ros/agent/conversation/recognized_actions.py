"""Execution of recognized actions, and the reply with their results."""

from __future__ import annotations

import json
from collections.abc import Sequence

from reachy_agent_ros.agent import action_reports, phrases
from reachy_agent_ros.agent.conversation.turn import Turn
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX, TurnTools
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.nlu.decision import Action

_DESCRIBE = Action("describe_image", {})


async def carry_out(turn: Turn, tools: TurnTools, actions: Sequence[Action], wants_description: bool) -> str | None:
    """Carries out recognized actions, up to the first one that fails, and replies with the results.

    Args:
        turn: Turn that receives the reply.
        tools: Tools of the turn.
        actions: Actions in order.
        wants_description: Whether the person also asked what the robot sees.

    Returns:
        Summary of the actions for a model; None after a failure, which is stored in the turn's result.
    """
    turn.result.agent = REFLEX
    look = max((i for i, action in enumerate(actions) if action.tool == "take_photo"), default=-1)
    steps = [(i, action) for i, action in enumerate(actions) if not (wants_description and i == look)]
    actions = [action for _, action in steps]  # a description takes a picture itself, which is not kept
    source, origin = tools.source_of_others(actions)
    results: list[str] = []
    for index, action in steps:
        outcome = await tools.act(index, action)
        if outcome.error is not None:
            turn.result.error = outcome.error
            told = _joined(
                action_reports.done(actions[: len(results)], results), action_reports.failed(action, outcome.error)
            )
            turn.reply(told, source, origin)
            return None
        results.append(outcome.result_json)
    description = await _description(turn, tools) if wants_description else ""
    told = action_reports.done(actions, results)
    if told:
        turn.reply(f"{told} " if description else told, source, origin)
    if description:
        turn.reply(description, *tools.source_of_others([_DESCRIBE]))
    if not told and not description:
        turn.note(phrases.SAID)
    described = [_DESCRIBE] if wants_description else []
    return "; ".join(f"{action.tool} {action.arguments_json}" for action in [*actions, *described])


async def _description(turn: Turn, tools: TurnTools) -> str:
    """Returns a spoken description of the camera image, or the reason why no description is available."""
    outcome = await tools.call(_DESCRIBE.tool, "{}")
    if outcome.error is None:
        return str(json.loads(outcome.result_json)["description"])
    turn.result.error = outcome.error
    if outcome.error.code is ErrorCode.UNKNOWN_TOOL:
        return phrases.CANNOT_DESCRIBE
    return action_reports.failed(_DESCRIBE, outcome.error)


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))
