"""What a command asks of the agent of a running graph."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import AGENT
from reachy_agent_ros.nodes.calls import ServiceCaller
from reachy_agent_ros.nodes.client import GraphClient
from reachy_agent_ros.nodes.qos import LATCHED

ANSWER_TIMEOUT = 10.0
"""Seconds to an answer: another persona's servers may have to end first."""


class MindClient:
    """Reads what the agent shows, and tells it what a person decided.

    Args:
        client: Joined the graph.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no agent runs.
    """

    def __init__(self, client: GraphClient) -> None:
        self._client = client
        self._agent = client.watch(AGENT)

    def ask(self, service_type: type, name: str, request: Any) -> Any:
        """Calls a service of the agent.

        Args:
            service_type: For example `reachy_agent_msgs.srv.SetPersona`.
            name: Its name.
            request: Message of its Request type.

        Raises:
            AgentError: The answer's own error, or there was no answer.
        """
        answer = ServiceCaller(self._client.node, service_type, name, self._agent).call(request, ANSWER_TIMEOUT)
        if answer.error_code != ErrorCode.NONE:
            raise AgentError(ErrorCode(answer.error_code), answer.error_msg)
        return answer

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
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{AGENT} does not show its {topic}.") from None
        while True:
            yield messages.get()

    def latest(self, message_type: type, topic: str) -> Any:
        """The newest message of a latched topic.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: there is none.
        """
        return next(self.changes(message_type, topic))


@contextmanager
def mind_of(command: str, namespace: str) -> Iterator[MindClient]:
    """Joins the graph for a `with` block.

    Args:
        command: What it is for; part of the node's name.
        namespace: Of the graph.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`, saying how to start what is missing.
    """
    with GraphClient(command, namespace) as client:
        yield MindClient(client)
