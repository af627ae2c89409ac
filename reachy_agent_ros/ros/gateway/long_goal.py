"""A goal that outlasts the request by which it was begun."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import Any

from rclpy.node import Node

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatch

_GRACE = 15.0
"""s that the server has beyond its own limit, or after a cancel."""


class LongGoal:
    """One goal at a time of one action.

    It has a thread of its own, that ends with the process: the goal goes on then, unless its server minds.

    Args:
        node: Whose executor spins in another thread.
        action_type: For example `reachy_agent_msgs.action.Train`.
        name: Of the action.
        server: Heartbeat of the node that serves it.
        absence: What to say where there is nothing to end, a sentence.
    """

    def __init__(self, node: Node, action_type: type, name: str, server: HeartbeatWatch, absence: str) -> None:
        self._caller = ActionCaller(node, action_type, name, server)
        self._absence = absence
        self._token = CancelToken()
        self._begun: Future[None] = Future()
        self._work: Future[Any] | None = None

    @property
    def failure(self) -> AgentError | None:
        """Why the last goal came to nothing; None while it goes on, if it did well, or if it was ended here."""
        if self._work is None or not self._work.done():
            return None
        error = self._work.exception()
        if error is None:
            return _error(self._work.result())
        if isinstance(error, AgentError):
            return error
        return AgentError(ErrorCode.INTERNAL, f"The goal failed: {type(error).__name__}.")

    async def begin(self, goal: Any, limit: float) -> None:
        """Sends a goal and returns when the work on it has begun.

        Args:
            goal: Message of the action's Goal type.
            limit: s that its server gives it.

        Raises:
            AgentError: `COMMANDER_BUSY`: one goes on already; or what it ended with before it began.
        """
        if self._work is not None and not self._work.done():
            raise AgentError(ErrorCode.COMMANDER_BUSY, "One that was begun here goes on already; end it first.")
        self._token, self._begun, self._work = CancelToken(), Future(), Future()
        arguments = (self._work, goal, limit + _GRACE, self._token)
        threading.Thread(target=self._run, args=arguments, name="long_goal", daemon=True).start()
        either = (asyncio.wrap_future(self._begun), asyncio.wrap_future(self._work))
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if self.failure is not None:
            raise self.failure

    def note_beginning(self) -> None:
        """Notes that the work has begun, from any thread; feedback tells it too."""
        if not self._begun.done():
            self._begun.set_result(None)

    async def end(self) -> Any:
        """Cancels the goal. Returns its result, whatever its error.

        Raises:
            AgentError: `NOT_FOUND`: none goes on; or there was no result.
        """
        if self._work is None or self._work.done():
            raise AgentError(ErrorCode.NOT_FOUND, self._absence)
        self._token.cancel()
        return await asyncio.shield(asyncio.wrap_future(self._work))

    def _run(self, work: Future[Any], goal: Any, timeout: float, token: CancelToken) -> None:
        try:
            result = self._caller.call(goal, timeout, token, lambda _feedback: self.note_beginning(), grace=_GRACE)
        except BaseException as error:  # noqa: BLE001 - told to who waits
            work.set_exception(error)
        else:
            work.set_result(result)


def _error(result: Any) -> AgentError | None:
    if result.error_code in (ErrorCode.NONE, ErrorCode.CANCELED):
        return None
    return AgentError(ErrorCode(result.error_code), result.error_msg)
