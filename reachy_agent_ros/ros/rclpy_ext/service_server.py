"""Service servers: answers from other threads, answers that are sent again, and services that set parameters."""

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
"""Seconds between two attempts."""

PATIENCE = 10.0
"""Seconds in which whoever asked must have been found, where what they announced was lost again and again."""

ARRIVAL = 0.5
"""Seconds after which an answer that was sent has reached whoever asked.

With 0.2 s, one was lost on a machine with two cores on which eight processes waited for their turn.
"""

AT_ONCE = 32
"""Answers that wait; further ones are dropped, as all would be without this."""

_UNSENT = "failed to send response"
_usual = warnings.showwarning
_told = threading.local()


class SlowService:
    """Answers when a thread has done the work.

    rclpy would have a callback that waits be a coroutine, which it calls again and again meanwhile: one such call keeps
    a core busy (ros2/rclpy#1405).

    Args:
        node: Node that serves it.
        service_type: For example `reachy_agent_msgs.srv.CaptureImage`.
        name: Service name.
        begin: Starts the work in another thread, which returns the answer. An `AgentError`, of its own or of the work,
            is told in the answer's `error_code` and `error_msg`; any other ends the node.
    """

    def __init__(self, node: Node, service_type: type, name: str, begin: Callable[[Any], Future[Any]]) -> None:
        self._node = node
        self._answer_type = service_type.Response  # type: ignore[attr-defined] # rclpy types no parts of a service
        self._begin = begin
        service = node.create_service(service_type, name, self._serve, qos_profile=CALLS)
        self._send = service.send_response
        # rclpy sends by this what the callback has returned, and offers no other way to send it later.
        service.send_response = self._send_when_done  # type: ignore[method-assign, assignment]

    def _serve(self, request: Any, _response: Any) -> Future[Any]:
        """What it returns goes to `_send_when_done`."""
        try:
            return self._begin(request)
        except AgentError as error:
            refused: Future[Any] = Future()
            refused.set_exception(error)
            return refused

    def _send_when_done(self, work: Future[Any], header: Any) -> None:
        work.add_done_callback(lambda done: self._answer(done, header))

    def _answer(self, work: Future[Any], header: Any) -> None:
        """Sends it from the thread that has done the work: to wake the executor's costs as much as a short call."""
        error = None if work.cancelled() else work.exception()
        if isinstance(error, AgentError):
            self._send(self._answer_type(error_code=int(error.code), error_msg=error.message), header)
        elif error is not None:
            self._end_node(error)
        elif not work.cancelled():
            self._send(work.result(), header)

    def _end_node(self, error: BaseException) -> None:
        """An error that nobody expected ends the node, which is in the executor's hand."""

        def fail() -> None:
            raise error

        if self._node.executor is not None:
            self._node.executor.create_task(fail)


class LateAnswers:
    """Sends again what could not be sent because the middleware had not found who asked.

    A client's request can arrive before the server has heard of the client's ear for the answer: what announces either
    one can be lost, and is told again by itself a second later. rmw_fastrtps waits for a moment
    (`transport.ANSWER_BLOCKING`), then drops the answer with a warning, and the client waits for ever. With another
    middleware, services answer as rclpy has them answer.

    Args:
        warn: Told in a sentence what was lost all the same.
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
        """Takes care of all that a service answers."""
        if not self._active:
            return
        send = partial(self._send, service.srv_name, service.send_response)
        service.send_response = send  # type: ignore[method-assign] # rclpy offers no other way

    def let_arrive(self) -> None:
        """Waits until the last answer that was sent has arrived. For a node that is about to leave.

        Fast DDS receives answers and farewells by different sockets, each in a thread of its own. It drops an answer
        that it reads after the farewell of its sender, and the client hears only that its server is gone.
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
        """Tries one at a time, so that many of them keep the process from nothing else."""
        while True:
            time.sleep(PERIOD)
            answer = self._waiting[0]
            try:
                done = self._is_sent(answer)
            except (InvalidHandle, _rclpy.RCLError):
                done = True  # the node has left meanwhile
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
        self._warn(f"An answer of {answer.name} is lost: the middleware has not found who asked.")


class ParameterAnswers(ParameterService):
    """Refuses a parameter of a type that there is not: rclpy raises for it, and whoever sent it would end the node."""

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
        """Whether it could be sent now."""
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
    """Shows a warning as before, but for rclpy's only sign that an answer was dropped."""
    if str(message).startswith(_UNSENT):
        _told.unsent = True
    else:
        _usual(message, category, filename, lineno, file, line)


def _refusal(error: ValueError) -> SetParametersResult:
    return SetParametersResult(successful=False, reason=str(error))
