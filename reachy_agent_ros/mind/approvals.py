"""Tool calls that wait for a person's yes."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from reachy_agent_ros.core.errors import AgentError, ErrorCode


@dataclass(frozen=True)
class PendingApproval:
    """One call that waits.

    Attributes:
        tool: What would be called.
        arguments_json: With what.
        turn_id: Turn it belongs to.
        requester: Agent that wants it.
        requested: Wall-clock time, s since the epoch.
        expires: Wall-clock time, s since the epoch.
        approval_id: To decide by.
    """

    tool: str
    arguments_json: str
    turn_id: uuid.UUID
    requester: str
    requested: float
    expires: float
    approval_id: uuid.UUID = field(default_factory=uuid.uuid4)


class Approvals:
    """What waits for a decision; silence means no.

    Args:
        time_limit: s a person has to decide.
        on_change: Called with everything that waits, oldest first, whenever that changes.
    """

    def __init__(self, time_limit: float, on_change: Callable[[list[PendingApproval]], None]) -> None:
        self.time_limit = time_limit
        self._on_change = on_change
        self._waiting: dict[uuid.UUID, tuple[PendingApproval, asyncio.Future[bool]]] = {}

    async def ask(self, tool: str, arguments_json: str, turn_id: uuid.UUID, requester: str) -> uuid.UUID:
        """Waits for a person.

        Returns:
            The approval's id, for the tool server.

        Raises:
            AgentError: `APPROVAL_DENIED` when the answer is no or does not come in time.
        """
        now = time.time()
        pending = PendingApproval(tool, arguments_json, turn_id, requester, now, now + self.time_limit)
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting[pending.approval_id] = (pending, answer)
        self._changed()
        try:
            async with asyncio.timeout(self.time_limit):
                approved = await answer
        except TimeoutError:
            raise AgentError(ErrorCode.APPROVAL_DENIED, f"Nobody approved {tool} in time.") from None
        finally:
            self._waiting.pop(pending.approval_id, None)
            self._changed()
        if not approved:
            raise AgentError(ErrorCode.APPROVAL_DENIED, f"A person refused {tool}.")
        return pending.approval_id

    def decide(self, approval_id: uuid.UUID, approve: bool) -> None:
        """Takes a person's answer, from any thread; the first one counts.

        Raises:
            AgentError: `INVALID_GOAL` when nothing of that id waits, or not any more.
        """
        _, answer = self._waiting.pop(approval_id, (None, None))
        if answer is None:
            raise AgentError(ErrorCode.INVALID_GOAL, f"Nothing waits for a decision under {approval_id}.")
        answer.get_loop().call_soon_threadsafe(_settle, answer, approve)

    def _changed(self) -> None:
        self._on_change([pending for pending, _ in self._waiting.values()])


def _settle(answer: asyncio.Future[bool], approve: bool) -> None:
    if not answer.done():
        answer.set_result(approve)
