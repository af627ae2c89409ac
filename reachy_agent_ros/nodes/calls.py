"""Calls to other nodes that always end: in an answer, or in an error, by a deadline.

rclpy leaves a future pending for ever when its server dies. These callers give every future a deadline, fail at once
when the server's heartbeat stops, and pass a cancel on. They block, so they belong in a worker thread, never in a
callback of the executor.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.client import Client
from rclpy.node import Node
from rclpy.task import Future

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nodes.convert import uuid_message
from reachy_agent_ros.nodes.heartbeat import HeartbeatWatch
from reachy_agent_ros.nodes.qos import CALLS

ACCEPT_TIMEOUT = 1.0
"""Seconds a server has to accept a goal."""

GREETING_TIMEOUT = 0.3
"""Seconds for the answer to a greeting, which is then said again: an answer to a client that the server has not wholly
discovered is lost."""

JOINING_TIMEOUT = 4.0
"""Seconds in which two nodes that have just met answer each other at last."""

START_GRACE = 2.0
"""Seconds in which a server may be heard for the first time: after a restart, its own or the caller's."""

CANCEL_GRACE = 1.0
"""Seconds a server has to end a cancelled goal before the caller stops waiting for it."""


class ServiceCaller:
    """Calls one service.

    Args:
        node: Whose executor must be spinning in another thread.
        service_type: For example `std_srvs.srv.Trigger`.
        name: Service name.
        server: Heartbeat of the node that serves it.
    """

    def __init__(self, node: Node, service_type: type, name: str, server: HeartbeatWatch) -> None:
        self._client: Client[Any, Any] = node.create_client(service_type, name)
        self._name = name
        self._server = server

    def call(self, request: Any, timeout: float = 2.0, cancel: CancelToken | None = None) -> Any:
        """Calls and waits.

        Args:
            request: Message of the service's Request type.
            timeout: Seconds to the answer.
            cancel: Cancelling it ends the wait; a service cannot be told.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`, `SERVER_LOST`, `TIMEOUT` or `CANCELED`.
        """
        deadline = Deadline(timeout)
        cancel = cancel or CancelToken()
        _await_server(self._client.wait_for_service, self._name, self._server, deadline)
        waiter = _Waiter(self._server, self._name)
        with waiter:
            future = self._client.call_async(request)
            cancel.on_cancel(waiter.wake)
            try:
                return waiter.result(future, deadline, interrupted=lambda: cancel.cancelled)
            finally:
                if not future.done():
                    self._client.remove_pending_request(future)


class SafeActionClient(ActionClient[Any, Any, Any]):
    """An action client that may be made while another thread spins its node.

    rclpy 9.1 shows a new client to the executor before it has given it its lock, and the executor's thread dies of an
    AttributeError then; until the client has its own it finds this one.
    """

    _lock = threading.Lock()


class ActionCaller:
    """Sends goals to one action, one or many at a time.

    It does not listen to the goals' status, which the answers tell it: an action publishes the status of all its goals
    with every change of any, and reading that would cost every client more than the calls do.

    Args:
        node: Whose executor must be spinning in another thread.
        action_type: For example `reachy_agent_msgs.action.Say`.
        name: Action name.
        server: Heartbeat of the node that serves it.
    """

    def __init__(self, node: Node, action_type: type, name: str, server: HeartbeatWatch) -> None:
        self._node = node
        self._client = SafeActionClient(
            node,
            action_type,
            name,
            goal_service_qos_profile=CALLS,
            result_service_qos_profile=CALLS,
        )
        self._name = name
        self._server = server
        self._no_goal = action_type.Impl.SendGoalService.Response()  # type: ignore[attr-defined]
        self._greeted = 0

    def call(
        self,
        goal: Any,
        timeout: float,
        cancel: CancelToken | None = None,
        on_feedback: Callable[[Any], None] | None = None,
        goal_id: uuid.UUID | None = None,
        grace: float = CANCEL_GRACE,
    ) -> Any:
        """Sends a goal and waits for its result.

        Args:
            goal: Message of the action's Goal type.
            timeout: Seconds to the result. The server should have its own limit; this one holds if it does not.
            cancel: Cancelling it cancels the goal; the server's own result is still returned.
            on_feedback: Gets the Feedback message, in the executor's thread.
            goal_id: Random if none is given.
            grace: Seconds that the server has to end the goal after a cancel.

        Returns:
            The Result message, whatever its `error_code`.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`, `SERVER_LOST`, `INVALID_GOAL` when rejected, or `TIMEOUT`, after the
                goal was cancelled.
        """
        deadline = Deadline(timeout)
        _await_server(self._client.wait_for_server, self._name, self._server, deadline)
        waiter = _Waiter(self._server, self._name)
        with waiter:
            self._greet(waiter, Deadline(min(JOINING_TIMEOUT, deadline.remaining)))
            accepting = Deadline(min(ACCEPT_TIMEOUT, deadline.remaining))
            sent = self._send(goal, on_feedback, goal_id or uuid.uuid4())
            handle = waiter.result(waiter.result(sent, accepting), accepting)
            if not handle.accepted:
                raise AgentError(ErrorCode.INVALID_GOAL, f"{self._name} rejected the goal.")
            return self._finish(waiter, handle, deadline, cancel or CancelToken(), grace)

    def _greet(self, waiter: _Waiter, deadline: Deadline) -> None:
        """Makes sure, once for every process that serves, that its answers arrive.

        A goal cannot be sent again when no answer comes, because it may have begun; to cancel one that nobody has ever
        sent may be asked as often as one likes.
        """
        pid = self._server.last.pid if self._server.last else 0
        if pid == self._greeted:
            return
        nobody = ClientGoalHandle(self._client, uuid_message(uuid.uuid4()), self._no_goal)
        while True:
            answering = Deadline(min(GREETING_TIMEOUT, deadline.remaining))
            try:
                waiter.result(waiter.result(self._in_executor(nobody.cancel_goal_async), answering), answering)
            except AgentError as error:
                if error.code is not ErrorCode.TIMEOUT or deadline.passed:
                    raise
            else:
                self._greeted = pid
                return

    def _send(self, goal: Any, on_feedback: Callable[[Any], None] | None, goal_id: uuid.UUID) -> Future[Any]:
        feedback = None if on_feedback is None else lambda message: on_feedback(message.feedback)
        return self._in_executor(self._client.send_goal_async, goal, feedback, uuid_message(goal_id))

    def _in_executor(self, send: Callable[..., Future[Any]], *args: Any) -> Future[Any]:
        """Sends in the executor's thread.

        rclpy (9.1.2) registers the future it returns only after sending, so when any other thread sends, the answer
        may come first and the future then never ends.
        """
        executor = self._node.executor
        if executor is None:
            raise AgentError(ErrorCode.SHUTTING_DOWN, f"{self._node.get_name()} is not running.")
        task: Future[Any] = executor.create_task(send, *args)
        return task

    def _finish(self, waiter: _Waiter, handle: Any, deadline: Deadline, cancel: CancelToken, grace: float) -> Any:
        future = handle.get_result_async()
        cancel.on_cancel(waiter.wake)
        try:
            response = waiter.result(future, deadline, interrupted=lambda: cancel.cancelled)
        except AgentError as error:
            if error.code not in (ErrorCode.TIMEOUT, ErrorCode.CANCELED):
                raise
            handle.cancel_goal_async()
            response = waiter.result(future, Deadline(grace))
            if error.code is ErrorCode.TIMEOUT:
                raise
        if response.status == GoalStatus.STATUS_UNKNOWN:
            raise AgentError(ErrorCode.SERVER_LOST, f"{self._name} no longer knows the goal.")
        return response.result


class _Waiter:
    """Waits for futures of one server, and is woken by whatever may end the wait."""

    def __init__(self, server: HeartbeatWatch, name: str) -> None:
        self._server = server
        self._name = name
        self._wake = threading.Event()
        self._lost = False
        self._forget: Callable[[], None] = lambda: None

    def __enter__(self) -> _Waiter:
        self._forget = self._server.on_lost(self._lose)
        return self

    def __exit__(self, *_: object) -> None:
        self._forget()

    def wake(self) -> None:
        self._wake.set()

    def _lose(self) -> None:
        self._lost = True
        self._wake.set()

    def result(self, future: Future[Any], deadline: Deadline, interrupted: Callable[[], bool] = lambda: False) -> Any:
        future.add_done_callback(lambda _future: self._wake.set())
        while not future.done():
            if self._lost:
                raise AgentError(ErrorCode.SERVER_LOST, f"{self._server.name} died while serving {self._name}.")
            if interrupted():
                raise AgentError(ErrorCode.CANCELED, f"{self._name} was cancelled.")
            if deadline.passed:
                raise AgentError(ErrorCode.TIMEOUT, f"{self._name} did not answer in time.")
            self._wake.wait(deadline.remaining)
            self._wake.clear()
        return future.result()


def _await_server(wait: Callable[[float], bool], name: str, server: HeartbeatWatch, deadline: Deadline) -> None:
    """Gives a server that is just starting a moment, one that is heard already the time that joining takes."""
    starting = Deadline(min(START_GRACE, deadline.remaining))
    joining = Deadline(min(JOINING_TIMEOUT, deadline.remaining))
    while not (server.alive and wait(0.0)):
        if (joining if server.alive else starting).passed:
            missing = f"does not offer {name}" if server.alive else "is not running"
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{server.name} {missing}.")
        time.sleep(0.01)
