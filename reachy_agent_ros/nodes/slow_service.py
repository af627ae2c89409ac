"""A service whose answer takes longer than a callback may."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from rclpy.node import Node

from reachy_agent_ros.core.errors import AgentError


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
        service = node.create_service(service_type, name, self._serve)
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
        work.add_done_callback(lambda _done: self._hand_over(work, header))

    def _hand_over(self, work: Future[Any], header: Any) -> None:
        """To the executor's thread: an error that nobody expected has to end the node."""
        executor = self._node.executor
        if executor is not None and not work.cancelled():
            executor.create_task(self._answer, work, header)

    def _answer(self, work: Future[Any], header: Any) -> None:
        error = work.exception()
        if isinstance(error, AgentError):
            self._send(self._answer_type(error_code=int(error.code), error_msg=error.message), header)
        else:
            self._send(work.result(), header)
