"""Service servers: responses from other threads, retries of undelivered responses, and parameter services."""

from __future__ import annotations

import threading
import time
import warnings
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, NamedTuple, TextIO

from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.exceptions import InvalidHandle
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.node import Node
from rclpy.parameter_service import ParameterService
from rclpy.service import Service

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.rclpy_ext.process import uses_fast_dds
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS

PERIOD = 0.05
"""Time between two attempts to send a response, s."""

PATIENCE = 10.0
"""Time within which the middleware discovers the client, even if its announcements are lost repeatedly, s."""

ARRIVAL = 0.5
"""Time after which a sent response has reached its client, s.

With 0.2 s, a response was lost on a machine with two cores and eight runnable processes.
"""

AT_ONCE = 32
"""Maximum number of responses that wait to be sent again; further ones are dropped."""

_UNSENT = "failed to send response"
_usual = warnings.showwarning
_told = threading.local()


class SlowService:
    """Service whose responses another thread computes.

    In rclpy, a callback that waits must be a coroutine, which the executor polls: one waiting call keeps a core busy
    (ros2/rclpy#1405).

    Args:
        node: Node that serves the requests.
        service_type: Service type, for example `reachy_agent_msgs.srv.CaptureImage`.
        name: Service name.
        begin: Starts the work in another thread, which returns the response. An `AgentError` raised by this function or
            by the work is returned in `error_code` and `error_msg`; any other exception ends the node.
    """

    def __init__(self, node: Node, service_type: type, name: str, begin: Callable[[Any], Future[Any]]) -> None:
        self._node = node
        self._answer_type = service_type.Response  # type: ignore[attr-defined] # rclpy types no parts of a service
        self._begin = begin
        service = node.create_service(service_type, name, self._serve, qos_profile=CALLS)
        self._send = service.send_response
        # rclpy calls this with the return value of the callback, and provides no other way to respond later.
        service.send_response = self._send_when_done  # type: ignore[method-assign, assignment]

    def _serve(self, request: Any, _response: Any) -> Future[Any]:
        """Starts to compute the response. rclpy passes the returned future to `_send_when_done`."""
        try:
            return self._begin(request)
        except AgentError as error:
            refused: Future[Any] = Future()
            refused.set_exception(error)
            return refused

    def _send_when_done(self, work: Future[Any], header: Any) -> None:
        work.add_done_callback(lambda done: self._answer(done, header))

    def _answer(self, work: Future[Any], header: Any) -> None:
        """Sends the response in the worker thread, because switching to the executor takes as long as a short call."""
        error = None if work.cancelled() else work.exception()
        if isinstance(error, AgentError):
            self._send(self._answer_type(error_code=int(error.code), error_msg=error.message), header)
        elif error is not None:
            self._end_node(error)
        elif not work.cancelled():
            self._send(work.result(), header)

    def _end_node(self, error: BaseException) -> None:
        """Ends the node after an unexpected error, by raising the error in the executor."""

        def fail() -> None:
            raise error

        if self._node.executor is not None:
            self._node.executor.create_task(fail)


class LateAnswers:
    """Resends responses that the middleware dropped because it had not yet discovered the client.

    A request can arrive before the server has discovered the client's response reader: announcements can be lost, and
    are repeated only a second later. rmw_fastrtps waits briefly (`transport.ANSWER_BLOCKING`), then drops the response
    with a warning, and the client waits forever. With other middleware, services behave as in rclpy.

    Args:
        warn: Called with a message for each response that is permanently lost.
    """

    def __init__(self, warn: Callable[[str], object]) -> None:
        self._warn = warn
        self._waiting: deque[_Answer] = deque()
        self._last_sent = -float("inf")
        self._lock = threading.Lock()
        self._active = uses_fast_dds()
        if self._active:
            warnings.showwarning = _show
            warnings.filterwarnings("always", _UNSENT, RuntimeWarning)

    def of(self, service: Service[Any, Any]) -> None:
        """Registers a service, whose dropped responses are sent again from now on."""
        if not self._active:
            return
        send = partial(self._send, service.srv_name, service.send_response)
        service.send_response = send  # type: ignore[method-assign] # rclpy offers no other way

    def let_arrive(self) -> None:
        """Waits until the last response that was sent has arrived. Call this when the node shuts down.

        Fast DDS receives responses and departures on different sockets, each in its own thread. It drops a response
        that it reads after the departure of the sender, and the client only sees a lost server.
        """
        while (rest := self._last_sent + ARRIVAL - time.monotonic()) > 0:
            time.sleep(rest)

    def _send(self, name: str, send: Callable[[Any, Any], None], response: Any, header: Any) -> None:
        answer = _Answer(name, partial(send, response, header), time.monotonic() + PATIENCE)
        if self._is_sent(answer):
            return
        with self._lock:
            if len(self._waiting) >= AT_ONCE:
                self._give_up(answer)
                return
            self._waiting.append(answer)
            if len(self._waiting) == 1:
                threading.Thread(target=self._try_again, name="late answers", daemon=True).start()

    def _try_again(self) -> None:
        """Resends waiting responses one at a time, so that the process is not blocked by many responses."""
        while True:
            time.sleep(PERIOD)
            answer = self._waiting[0]
            try:
                done = self._is_sent(answer)
            except (InvalidHandle, _rclpy.RCLError):
                done = True  # the node has been destroyed
            if not done and time.monotonic() > answer.until:
                self._give_up(answer)
                done = True
            with self._lock:
                self._waiting.rotate(-1)
                if done:
                    self._waiting.pop()
                if not self._waiting:
                    return

    def _is_sent(self, answer: _Answer) -> bool:
        sent = answer.is_sent()
        if sent:
            self._last_sent = time.monotonic()
        return sent

    def _give_up(self, answer: _Answer) -> None:
        self._warn(f"A response of {answer.name} is lost: the middleware has not discovered the client.")


class ParameterAnswers(ParameterService):
    """Parameter services that reject unknown parameter types, instead of ending the node like rclpy's services."""

    def _set_parameters_callback(
        self, request: SetParameters.Request, response: SetParameters.Response
    ) -> SetParameters.Response:
        try:
            return super()._set_parameters_callback(request, response)
        except ValueError as error:
            response.results = [_refusal(error) for _ in request.parameters]
        return response

    def _set_parameters_atomically_callback(
        self, request: SetParametersAtomically.Request, response: SetParametersAtomically.Response
    ) -> SetParametersAtomically.Response:
        try:
            return super()._set_parameters_atomically_callback(request, response)
        except ValueError as error:
            response.result = _refusal(error)
        return response


class _Answer(NamedTuple):
    name: str
    send: Callable[[], None]
    until: float

    def is_sent(self) -> bool:
        """Sends the response, and returns whether the middleware accepted it."""
        _told.unsent = False
        self.send()
        return not _told.unsent


def _show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Shows warnings as usual. Records rclpy's warning about a dropped response instead of showing the warning."""
    if str(message).startswith(_UNSENT):
        _told.unsent = True
    else:
        _usual(message, category, filename, lineno, file, line)


def _refusal(error: ValueError) -> SetParametersResult:
    return SetParametersResult(successful=False, reason=str(error))
