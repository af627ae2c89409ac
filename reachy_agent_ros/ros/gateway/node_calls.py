"""Calls of other nodes from the gateway's event loop: services, node parameters, and long-running goals."""

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
"""Time limit of a service that may write to disk, s."""

ERASING_LIMIT = 20.0
"""Time limit of a deletion, s. The agent waits 15 s for a file that another process has locked."""

_GRACE = 15.0
"""Margin for the server beyond its own limit or after a cancellation, s."""


async def ask(caller: ServiceCaller, request: Any, limit: float = ANSWER_LIMIT) -> Any:
    """Calls `ServiceCaller.ask` from the event loop.

    Args:
        caller: Client of the service.
        request: Message of the service's Request type.
        limit: Time to wait for the response, s.

    Raises:
        AgentError: Error of the response, or an error of `ServiceCaller.call`.
    """
    return await in_thread(lambda token: caller.ask(request, limit, token))


class NodeParameters:
    """Read-only parameters of another node. Reads the parameters only once per process of the other node.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
        other: Name of the other node.
        wanted: Names of the parameters.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches, other: str, wanted: Sequence[str]) -> None:
        self._watch = watches.of(other)
        self._caller = ServiceCaller(node, GetParameters, f"{other}/get_parameters", self._watch)
        self._wanted = list(wanted)
        self._pid = 0
        self._values: dict[str, Any] = {}

    async def values(self) -> dict[str, Any]:
        """Returns a map of all parameter names to their values.

        Raises:
            AgentError: The node does not respond.
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
    """Client of an action with long-running goals, which runs one goal at a time.

    The goal runs in a daemon thread. It continues when this process ends, unless its server ends it.


    Args:
        node: The gateway's node, whose executor spins in another thread.
        action_type: Action type, for example `reachy_agent_msgs.action.Train`.
        name: Action name.
        server: Heartbeat monitor of the serving node.
        absence: Error message for an attempt to end a goal when none is running.
    """

    def __init__(self, node: Node, action_type: type, name: str, server: HeartbeatMonitor, absence: str) -> None:
        self._caller = ActionCaller(node, action_type, name, server)
        self._absence = absence
        self._token = CancelToken()
        self._begun: Future[None] = Future()
        self._work: Future[Any] | None = None

    @property
    def failure(self) -> AgentError | None:
        """Error of the last goal. None if the goal is running, has succeeded or was cancelled."""
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
        """Sends a goal, and returns once its execution has begun.

        Args:
            goal: Message of the action's Goal type.
            limit: Time limit of the server, s.

        Raises:
            AgentError: `COMMANDER_BUSY` if a goal is running, or the error with which the goal ended before it began.
        """
        if self._work is not None and not self._work.done():
            raise AgentError(ErrorCode.COMMANDER_BUSY, "A goal of this gateway is already running. End it first.")
        self._token, self._begun, self._work = CancelToken(), Future(), Future()
        arguments = (self._work, goal, limit + _GRACE, self._token)
        threading.Thread(target=self._run, args=arguments, name="long_goal", daemon=True).start()
        either = (asyncio.wrap_future(self._begun), asyncio.wrap_future(self._work))
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if self.failure is not None:
            raise self.failure

    def note_beginning(self) -> None:
        """Records that the execution has begun. Any feedback message has the same effect. Thread-safe."""
        if not self._begun.done():
            self._begun.set_result(None)

    async def end(self) -> Any:
        """Cancels the goal. Returns the result, even if the result contains an error.

        Raises:
            AgentError: `NOT_FOUND` if no goal is running, or an error if there is no result.
        """
        if self._work is None or self._work.done():
            raise AgentError(ErrorCode.NOT_FOUND, self._absence)
        self._token.cancel()
        return await asyncio.shield(asyncio.wrap_future(self._work))

    def _run(self, work: Future[Any], goal: Any, timeout: float, token: CancelToken) -> None:
        try:
            result = self._caller.call(goal, timeout, token, lambda _feedback: self.note_beginning(), grace=_GRACE)
        except BaseException as error:  # noqa: BLE001 - passed to the waiting caller
            work.set_exception(error)
        else:
            work.set_result(result)
