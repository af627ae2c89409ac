"""A service whose answer takes longer than a callback may."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from rclpy.node import Node

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS


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
