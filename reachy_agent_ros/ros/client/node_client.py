"""What a command asks of one node of a running graph."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

ANSWER_TIMEOUT = 10.0
"""Seconds to an answer: another persona's servers may have to end first."""


class NodeClient:
    """Reads what the node shows, and tells it what a person decided.

    Args:
        client: Joined the graph.
        name: The node's.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: it does not run.
    """

    def __init__(self, client: GraphClient, name: str) -> None:
        self._client = client
        self._name = name
        self._heartbeat = client.watch(name)

    def ask(self, service_type: type, name: str, request: Any, timeout: float = ANSWER_TIMEOUT) -> Any:
        """Calls a service of the node.

        Args:
            service_type: For example `reachy_agent_msgs.srv.SetPersona`.
            name: Its name.
            request: Message of its Request type.
            timeout: s to the answer.

        Raises:
            AgentError: The answer's own error, or there was no answer.
        """
        answer = self.answer(service_type, name, request, timeout)
        if answer.error_code != ErrorCode.NONE:
            raise AgentError(ErrorCode(answer.error_code), answer.error_msg)
        return answer

    def answer(self, service_type: type, name: str, request: Any, timeout: float = ANSWER_TIMEOUT) -> Any:
        """As `ask`, for who wants the answer also where it is an error.

        Raises:
            AgentError: There was no answer.
        """
        return ServiceCaller(self._client.node, service_type, name, self._heartbeat).call(request, timeout)

    def changes(self, message_type: type, topic: str) -> Iterator[Any]:
        """The newest message of a latched topic, and every one after it, without end.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: there is none.
        """
        messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._client.node.create_subscription(message_type, topic, messages.put, LATCHED)
        try:
            yield messages.get(timeout=self._client.patience)
        except queue.Empty:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{self._name} does not show its {topic}.") from None
        while True:
            yield messages.get()

    def latest(self, message_type: type, topic: str) -> Any:
        """The newest message of a latched topic.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: there is none.
        """
        return next(self.changes(message_type, topic))


@contextmanager
def joined(name: str, command: str, namespace: str) -> Iterator[NodeClient]:
    """Joins the graph for a `with` block.

    Args:
        name: Node to ask.
        command: What it is for; part of the asking node's name.
        namespace: Of the graph.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`, saying how to start what is missing.
    """
    with GraphClient(command, namespace) as client:
        yield NodeClient(client, name)
