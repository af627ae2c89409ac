"""Calls of other nodes from the gateway's event loop: services, their errors, a node's parameters, and long goals."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from rcl_interfaces.srv import GetParameters
from rclpy.node import Node
from rclpy.parameter import parameter_value_to_python

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller, error_of
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor, HeartbeatWatches

ANSWER_LIMIT = 10.0
"""s; whoever serves writes to a disk."""

ERASING_LIMIT = 20.0
"""s; the file may be locked by another process, for which the agent waits 15 s."""

_GRACE = 15.0
"""s that the server has beyond its own limit, or after a cancel."""


async def ask(caller: ServiceCaller, request: Any, limit: float = ANSWER_LIMIT) -> Any:
    """Asks a service from the event loop, as `ServiceCaller.ask` does.

    Args:
        caller: Of the service.
        request: Message of its Request type.
        limit: s to the answer.

    Raises:
        AgentError: The answer's own error, or there was no answer.
    """
    return await in_thread(lambda token: caller.ask(request, limit, token))


class NodeParameters:
    """Asks one node; what it said holds until it is another process, because all parameters here are read-only.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
        other: Name of the node to ask.
        wanted: Names of its parameters.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches, other: str, wanted: Sequence[str]) -> None:
        self._watch = watches.of(other)
        self._caller = ServiceCaller(node, GetParameters, f"{other}/get_parameters", self._watch)
        self._wanted = list(wanted)
        self._pid = 0
        self._values: dict[str, Any] = {}

    async def values(self) -> dict[str, Any]:
        """Their values by name.

        Raises:
            AgentError: The node is not there.
        """
        last = self._watch.last
        if not (self._watch.alive and last is not None and last.pid == self._pid):
            request = GetParameters.Request(names=self._wanted)
            answer = await in_thread(lambda token: self._caller.call(request, cancel=token))
            found = map(parameter_value_to_python, answer.values)
            self._values = dict(zip(self._wanted, found, strict=True))
            self._pid = self._watch.last.pid if self._watch.last else 0
        return self._values


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

    def __init__(self, node: Node, action_type: type, name: str, server: HeartbeatMonitor, absence: str) -> None:
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
            told = error_of(self._work.result())
            return None if told is not None and told.code is ErrorCode.CANCELED else told
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
