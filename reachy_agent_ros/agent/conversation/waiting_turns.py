"""Resumes turns that were waiting for approval when the previous process ended."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence

from reachy_agent_ros.agent.conversation.conversation import Conversation
from reachy_agent_ros.agent.conversation.conversation_parts import Observe, Publish
from reachy_agent_ros.agent.conversation.turn_request import SavedTurn, TurnRequest, TurnResult
from reachy_agent_ros.agent.permissions.approvals import Approvals
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.core.errors import AgentError

_log = logging.getLogger(__name__)

TakenUp = asyncio.Task[tuple[TurnRequest, TurnResult]]
"""Task of a resumed turn, which returns the request and the result."""


def take_up(
    approvals: Approvals,
    conversation: Conversation,
    prepared: Callable[[], Awaitable[object]],
    observe: Callable[[TurnRequest], Observe],
    publish: Callable[[TurnRequest], Publish],
) -> Sequence[TakenUp]:
    """Resumes the stored turns that wait for approval. Call it once, from the agent's event loop.

    Recognized commands are withdrawn instead: they are easily repeated, and nobody expects them to run minutes later.
    Calls of other programs are also withdrawn, because these programs have disconnected.

    Args:
        approvals: Tool calls that wait for approval.
        conversation: Resumes the turns.
        prepared: Awaited before an answered turn continues, because its tools may not be available yet.
        observe: Returns the callback for a turn's events.
        publish: Returns the callback for a turn's spans.

    Raises:
        AgentError: `STORAGE_FAILED`: the stored approvals are unreadable.
    """

    async def goes_on(pending: PendingApproval, saved: SavedTurn) -> tuple[TurnRequest, TurnResult]:
        request = saved.request
        return request, await conversation.resume(pending, saved, prepared, observe(request), publish(request))

    return [asyncio.create_task(goes_on(pending, saved)) for pending, saved in _saved(approvals)]


def _saved(approvals: Approvals) -> Iterator[tuple[PendingApproval, SavedTurn]]:
    for pending in approvals.restore():
        saved = _read(pending.run_state)
        if saved is None:
            approvals.withdraw(pending)
        else:
            yield pending, saved


def _read(run_state: str) -> SavedTurn | None:
    try:
        return SavedTurn.from_json(run_state) if run_state else None
    except AgentError as error:
        _log.warning("%s", error.message)
        return None
