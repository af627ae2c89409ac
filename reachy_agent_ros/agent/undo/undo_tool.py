"""Tool `undo`, which restores what the last turn changed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reachy_agent_ros.agent.action_reports import cannot_undo
from reachy_agent_ros.agent.toolbox.toolbox import OwnTool
from reachy_agent_ros.agent.undo.journal import Act, UndoJournal
from reachy_agent_ros.agent.undo.reversal import UNDO, Reversal
from reachy_agent_ros.core.arguments import NoArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall

NOTHING = "I have done nothing that I could undo."
CHANGED = "That has changed since, so I left it as it is."

_TIME_LIMIT = 45.0
"""Time limit of the tool, s: a person may have to approve the motion back."""


def undo_tool(journal: UndoJournal, reversals: Sequence[Reversal]) -> OwnTool[Any]:
    """Returns the tool `undo`.

    Args:
        journal: Journal of acts.
        reversals: Reversals of all kinds. Items may be added later.
    """

    async def undo(_arguments: NoArguments, call: ToolCall) -> dict[str, Any]:
        acts = await asyncio.to_thread(journal.last, call.session_id)
        if not acts:
            raise AgentError(ErrorCode.NOT_FOUND, NOTHING)
        lasting = [act for act in acts if act.before is None]
        told = [await _restore(act, reversals, call) for act in _earliest(acts)]
        await asyncio.to_thread(journal.remove, [act.number for act in acts])
        told += [cannot_undo(act.tool) for act in lasting[:1]]
        if len(lasting) == len(acts):
            raise AgentError(ErrorCode.INVALID_GOAL, told[0])
        return {"undone": [act.tool for act in acts if act.before is not None], "sentence": " ".join(told)}

    return OwnTool(
        UNDO,
        "Undoes what the last command changed: the pose, the volume, a note, a fact, a list, a timer or the persona.",
        NoArguments,
        undo,
        specialist="coordinator",
        time_limit=_TIME_LIMIT,
    )


def _earliest(acts: Sequence[Act]) -> list[Act]:
    """Returns the first act on each state, with the last state after it, the latest state first."""
    found: dict[tuple[str, str], Act] = {}
    for act in acts:  # the latest act comes first
        if act.before is not None:
            last = found.get((act.kind, act.key), act)
            found[act.kind, act.key] = replace(act, after=last.after)
    return list(found.values())


async def _restore(act: Act, reversals: Sequence[Reversal], call: ToolCall) -> str:
    """Restores the state before an act. Returns a sentence about it.

    Raises:
        AgentError: The state is not restored, and the act remains in the journal.
    """
    reversal = next((reversal for reversal in reversals if reversal.kind == act.kind), None)
    if reversal is None or act.before is None:
        raise AgentError(ErrorCode.INVALID_GOAL, cannot_undo(act.tool))
    if reversal.guarded and act.after is not None:
        present = await reversal.saved(act.key, call)
        if present not in (act.before, act.after):
            return CHANGED
    return await reversal.restore(act.key, act.before, call)
