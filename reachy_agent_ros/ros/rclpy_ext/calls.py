"""Blocking service and action clients with a deadline for every call.

rclpy leaves a future pending forever if its server dies. These clients give every future a deadline, fail if the
server's heartbeat stops, and forward cancellation. They block, so call them in a worker thread, never in a callback of
the executor.

`call` returns the response regardless of its `error_code`; `ask` raises the error in it.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from action_msgs.msg import GoalInfo, GoalStatus
from rclpy.client import Client
from rclpy.node import Node
from rclpy.serialization import deserialize_message
from rclpy.task import Future
from unique_identifier_msgs.msg import UUID

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, STANDARD

ACCEPT_TIMEOUT = 4.0
"""Time for a server to accept a goal, s. A busy machine can need more than one second; a hanging server is detected
sooner, by its heartbeat."""

GREETING_TIMEOUT = 0.3
"""Time to wait for the response to a greeting before the greeting is repeated, s. Messages between two nodes that
have not completely discovered each other can be late or lost."""

JOINING_TIMEOUT = 4.0
"""Time within which two nodes discover each other completely, s."""

START_GRACE = 2.0
"""Time to wait for the first heartbeat of a server, s: the server or the caller may just have restarted."""

CANCEL_GRACE = 1.0
"""Time for a server to end a cancelled goal before the caller stops waiting, s."""

_GOAL_ID = slice(4, 20)
"""Position of the goal id in a serialized feedback message: after the CDR header of four bytes."""


class ServiceCaller:
    """Client of one service.

    Args:
        node: Calling node. Its executor must be spinning in another thread.
        service_type: Service type, for example `std_srvs.srv.Trigger`.
        name: Service name.
        server: Heartbeat monitor of the serving node.
    """

    def __init__(self, node: Node, service_type: type, name: str, server: HeartbeatMonitor) -> None:
        self._client: Client[Any, Any] = node.create_client(service_type, name, qos_profile=CALLS)
        self._name = name
        self._server = server

    def call(self, request: Any, timeout: float = 2.0, cancel: CancelToken | None = None) -> Any:
        """Calls the service and waits for the response.

        Args:
            request: Message of the service's Request type.
            timeout: Time to wait for the response, s.
            cancel: Token that ends the wait. The server is not notified, because services cannot be cancelled.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`, `SERVER_LOST`, `TIMEOUT` or `CANCELED`.
        """
        deadline = Deadline(timeout)
        cancel = cancel or CancelToken()
        _await_server(self._client.service_is_ready, self._name, self._server, deadline)
        with _Waiter(self._server, self._name) as waiter, _asked(self._client, request) as future:
            cancel.on_cancel(waiter.wake)
            return waiter.result(future, deadline, interrupted=lambda: cancel.cancelled)

    def ask(self, request: Any, timeout: float = 2.0, cancel: CancelToken | None = None) -> Any:
        """Calls a service whose response has `error_code` and `error_msg`. See `call` for the arguments.

        Raises:
            AgentError: Error of the response, or an error of `call`.
        """
        return require_success(self.call(request, timeout, cancel))


class ActionCaller:
    """Client of one action. Can run any number of goals concurrently.

    The client uses the three services and the feedback topic of an action (design.ros2.org, "Actions"). rclpy's own
    client also reads the status topic, which repeats the content of the responses: an action publishes the status of
    all goals with every change of any goal, and reading it would take every client longer than its calls. It also
    deserializes the feedback of all clients' goals, and keeps an incomplete future for every goal (rclpy 9.1.2).

    Args:
        node: Calling node. Its executor must be spinning in another thread.
        action_type: Action type, for example `reachy_agent_msgs.action.Say`.
        name: Action name.
        server: Heartbeat monitor of the serving node.
    """

    def __init__(self, node: Node, action_type: type, name: str, server: HeartbeatMonitor) -> None:
        self._parts = parts = action_type.Impl  # type: ignore[attr-defined] # rclpy types no parts of an action
        fields = action_type.Goal.get_fields_and_field_types()  # type: ignore[attr-defined]
        self._signature = node.get_fully_qualified_name() if "caller_node" in fields else ""
        self._goals = _client(node, parts.SendGoalService, name, "send_goal")
        self._results = _client(node, parts.GetResultService, name, "get_result")
        self._cancels = _client(node, parts.CancelGoalService, name, "cancel_goal")
        self._feedback = node.create_subscription(
            parts.FeedbackMessage, f"{name}/_action/feedback", self._hear, STANDARD, raw=True
        )
        self._listeners: dict[bytes, Callable[[Any], None]] = {}
        self._name = name
        self._server = server
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
        """Sends a goal and waits for its result. Sets the field `caller_node`, if the goal has one.

        Args:
            goal: Message of the action's Goal type.
            timeout: Time to wait for the server and the result, s, whatever the time limit of the server.
            cancel: Token that cancels the goal. The server's result is still returned, if it arrives within `grace`.
            on_feedback: Called with each Feedback message, in the executor's thread.
            goal_id: Goal ID; None for a random one.
            grace: Time for the server to end the goal after a cancellation, s.

        Returns:
            Result message, regardless of its `error_code`.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`, `SERVER_LOST`, `INVALID_GOAL` if the goal was rejected, or `TIMEOUT`
                after cancelling a goal that was sent.
        """
        deadline = Deadline(timeout)
        if self._signature:
            goal.caller_node = self._signature
        _await_server(self._is_offered, self._name, self._server, deadline)
        name = uuid_message(goal_id or uuid.uuid4())
        with _Waiter(self._server, self._name) as waiter, self._listening(name, on_feedback):
            self._greet(waiter, Deadline(min(JOINING_TIMEOUT, deadline.remaining)))
            if not self._accepted(waiter, name, goal, Deadline(min(ACCEPT_TIMEOUT, deadline.remaining))):
                raise AgentError(ErrorCode.INVALID_GOAL, f"{self._name} rejected the goal.")
            return self._finish(waiter, name, deadline, cancel or CancelToken(), grace)

    def ask(
        self,
        goal: Any,
        timeout: float,
        cancel: CancelToken | None = None,
        on_feedback: Callable[[Any], None] | None = None,
        goal_id: uuid.UUID | None = None,
    ) -> Any:
        """Sends a goal. Returns the result if the goal succeeds. See `call` for the arguments.

        Raises:
            AgentError: Error of the result, or an error of `call`.
        """
        return require_success(self.call(goal, timeout, cancel, on_feedback, goal_id))

    def _accepted(self, waiter: _Waiter, name: UUID, goal: Any, deadline: Deadline) -> bool:
        """Sends a goal and returns whether it was accepted.

        A goal whose response is late is cancelled. Otherwise the robot might execute it although the call has failed.
        """
        with _asked(self._goals, self._parts.SendGoalService.Request(goal_id=name, goal=goal)) as sent:
            try:
                return bool(waiter.result(sent, deadline).accepted)
            except AgentError as error:
                if error.code is not ErrorCode.TIMEOUT:
                    raise
                with self._cancelled(name) as answer, suppress(AgentError):
                    waiter.result(answer, Deadline(CANCEL_GRACE))
                raise

    def _is_offered(self) -> bool:
        """Returns whether the action is available. Skips the slow graph query if the server has responded before."""
        return self._is_greeted() or all(
            client.service_is_ready() for client in (self._goals, self._results, self._cancels)
        )

    def _is_greeted(self) -> bool:
        return self._server.last is not None and self._server.last.pid == self._greeted

    def _greet(self, waiter: _Waiter, deadline: Deadline) -> None:
        """Waits, once per server process, until a response of the server has arrived.

        A goal without a response must not be sent again, because it may have begun. A request to cancel a goal that
        does not exist can be repeated without effect.
        """
        while not self._is_greeted():
            pid = self._server.last.pid if self._server.last else 0
            with self._cancelled(uuid_message(uuid.uuid4())) as answer:
                try:
                    waiter.result(answer, Deadline(min(GREETING_TIMEOUT, deadline.remaining)))
                except AgentError as error:
                    if error.code is not ErrorCode.TIMEOUT or deadline.passed:
                        raise
                else:
                    self._greeted = pid

    def _finish(self, waiter: _Waiter, name: UUID, deadline: Deadline, cancel: CancelToken, grace: float) -> Any:
        cancel.on_cancel(waiter.wake)
        with _asked(self._results, self._parts.GetResultService.Request(goal_id=name)) as future:
            try:
                response = waiter.result(future, deadline, interrupted=lambda: cancel.cancelled)
            except AgentError as error:
                if error.code not in (ErrorCode.TIMEOUT, ErrorCode.CANCELED):
                    raise
                with self._cancelled(name):
                    response = waiter.result(future, Deadline(grace))
                if error.code is ErrorCode.TIMEOUT:
                    raise
        if response.status == GoalStatus.STATUS_UNKNOWN:
            raise AgentError(ErrorCode.SERVER_LOST, f"The server of {self._name} does not have this goal any more.")
        return response.result

    @contextmanager
    def _cancelled(self, name: UUID) -> Iterator[Future[Any]]:
        request = self._parts.CancelGoalService.Request(goal_info=GoalInfo(goal_id=name))
        with _asked(self._cancels, request) as answer:
            yield answer

    @contextmanager
    def _listening(self, name: UUID, listener: Callable[[Any], None] | None) -> Iterator[None]:
        """Forwards the feedback of a goal to a listener during a `with` block."""
        key = bytes(name.uuid)
        if listener is not None:
            self._listeners[key] = listener
        try:
            yield
        finally:
            self._listeners.pop(key, None)

    def _hear(self, message: bytes) -> None:
        """Deserializes a feedback message and forwards it to the listener of its goal, if there is one."""
        listener = self._listeners.get(message[_GOAL_ID])
        if listener is not None:
            listener(deserialize_message(message, self._parts.FeedbackMessage).feedback)


def error_of(answer: Any) -> AgentError | None:
    """Returns the error in `error_code` and `error_msg` of a response or result, or None if it reports success."""
    if answer.error_code == ErrorCode.NONE:
        return None
    return AgentError(ErrorCode(answer.error_code), answer.error_msg)


def require_success(answer: Any) -> Any:
    """Returns a response or result that reports success. If it reports an error, raises the error.

    Raises:
        AgentError: Error of the response or result.
    """
    error = error_of(answer)
    if error is not None:
        raise error
    return answer


class _Waiter:
    """Waits for futures of a server until they complete, the server is lost, or `wake` is called."""

    def __init__(self, server: HeartbeatMonitor, name: str) -> None:
        self._server = server
        self._name = name
        self._wake = threading.Event()
        self._lost = False
        self._forget: Callable[[], None]

    def __enter__(self) -> _Waiter:
        self._forget = self._server.on_lost(self._lose)
        return self

    def __exit__(self, *_: object) -> None:
        self._forget()
        del self._forget  # breaks a reference cycle

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
                raise AgentError(ErrorCode.CANCELED, f"{self._name} was canceled.")
            if deadline.passed:
                raise AgentError(ErrorCode.TIMEOUT, f"{self._name} did not answer in time.")
            self._wake.wait(deadline.remaining)
            self._wake.clear()
        return future.result()


def _client(node: Node, service_type: type, action: str, part: str) -> Client[Any, Any]:
    return node.create_client(service_type, f"{action}/_action/{part}", qos_profile=CALLS)


@contextmanager
def _asked(client: Client[Any, Any], request: Any) -> Iterator[Future[Any]]:
    """Calls a service. Removes the request if its response has not arrived at the end of the `with` block."""
    future = client.call_async(request)
    try:
        yield future
    finally:
        if not future.done():
            client.remove_pending_request(future)


def _await_server(ready: Callable[[], bool], name: str, server: HeartbeatMonitor, deadline: Deadline) -> None:
    """Waits up to `START_GRACE` for a server's heartbeat, and up to `JOINING_TIMEOUT` in total for its service."""
    starting = Deadline(min(START_GRACE, deadline.remaining))
    joining = Deadline(min(JOINING_TIMEOUT, deadline.remaining))
    while not (server.alive and ready()):
        if (joining if server.alive else starting).passed:
            missing = f"does not offer {name}" if server.alive else "is not running"
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{server.name} {missing}.")
        time.sleep(0.01)
