"""Doing what the reflex decided."""

from __future__ import annotations

import json
from collections.abc import Sequence

from reachy_agent_ros.mind import phrases
from reachy_agent_ros.mind.reflex.decision import Action
from reachy_agent_ros.mind.turn import Turn

REFLEX = "reflex"
"""Name of the reflex where agents are named."""


async def act(turn: Turn, actions: Sequence[Action], wants_description: bool) -> str | None:
    """Carries out actions in order, up to the first that fails, and replies what came of them.

    Args:
        turn: Whose actions.
        actions: What to do.
        wants_description: Whether the person also asked what the robot sees.

    Returns:
        For a model, what was done already; None after a failure, which the turn's result has.
    """
    turn.result.agent = REFLEX
    results: list[str] = []
    for action in actions:
        outcome = await turn.call_tool(action.tool, json.dumps(dict(action.arguments)))
        if outcome.error is not None:
            turn.result.error = outcome.error
            turn.reply(_joined(phrases.done(actions[: len(results)], results), phrases.failed(action, outcome.error)))
            return None
        results.append(outcome.result_json)
    told = _joined(phrases.done(actions, results), phrases.SEES_NOTHING_YET if wants_description else "")
    if told:
        turn.reply(told)
    else:
        turn.note(phrases.SAID)
    return "; ".join(f"{action.tool} {json.dumps(dict(action.arguments))}" for action in actions)


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))
