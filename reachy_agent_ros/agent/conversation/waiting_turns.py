"""Turns that waited for a person when the last process ended."""

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
"""A turn that goes on: what was asked, and how it went."""


def take_up(
    approvals: Approvals,
    conversation: Conversation,
    prepared: Callable[[], Awaitable[object]],
    observe: Callable[[TurnRequest], Observe],
    publish: Callable[[TurnRequest], Publish],
) -> Sequence[TakenUp]:
    """Lets them go on; call it once, from the mind's event loop.

    A command that the reflex obeyed is not among them: it is said again in a second, and nobody expects it to happen
    minutes later. Nor is a call of another program's, which has gone.

    Args:
        approvals: What waited.
        conversation: Goes on with them.
        prepared: Awaited before a turn goes on whose question was answered: its tools may not be there yet.
        observe: Gives what takes a turn's events.
        publish: Gives what takes a turn's spans.

    Raises:
        AgentError: `STORAGE_FAILED`: nobody knows what waited.
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
