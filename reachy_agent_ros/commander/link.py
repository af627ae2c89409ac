"""Connections of a commander to the nodes, created on first use."""

from __future__ import annotations

import threading
from typing import Any

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.client.emergency_stop import confirmed
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller, require_success
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor

ANSWER_LIMIT = 10.0
"""Timeout of service calls, s."""


class GraphLink:
    """Calls actions and services of the graph. Thread-safe.

    Args:
        client: Client that has joined the graph and is spinning.
    """

    def __init__(self, client: GraphClient) -> None:
        self._client = client
        self._lock = threading.Lock()
        self._watches: dict[str, HeartbeatMonitor] = {}
        self._actions: dict[str, ActionCaller] = {}
        self._services: dict[str, ServiceCaller] = {}

    def act(self, node: str, kind: type, name: str, goal: Any, limit: float, cancel: CancelToken) -> Any:
        """Sends a goal and waits for its result.

        Args:
            node: Node that serves the action.
            kind: Type of the action.
            name: Name of the action.
            goal: Goal message.
            limit: Timeout, s.
            cancel: Token that cancels the goal.

        Returns:
            Successful result.

        Raises:
            AgentError: The error of the result, `SERVER_UNAVAILABLE` if the node does not run, or an error of the call.
        """
        with self._lock:
            if name not in self._actions:
                self._actions[name] = ActionCaller(self._client.node, kind, name, self._watch(node))
        return _checked(self._actions[name].call(goal, limit, cancel))

    def ask(self, node: str, kind: type, name: str, request: Any) -> Any:
        """Calls a service and waits for its response.

        Args:
            node: Node that serves the service.
            kind: Type of the service.
            name: Name of the service.
            request: Request message.

        Raises:
            AgentError: As for `act`.
        """
        with self._lock:
            if name not in self._services:
                self._services[name] = ServiceCaller(self._client.node, kind, name, self._watch(node))
        return _checked(self._services[name].call(request, ANSWER_LIMIT))

    def _watch(self, node: str) -> HeartbeatMonitor:
        if node not in self._watches:
            self._watches[node] = self._client.watch(node)
        return self._watches[node]


def _checked(answer: Any) -> Any:
    if hasattr(answer, "error_code"):
        return require_success(answer)
    confirmed(answer)  # a std_srvs/Trigger
    return answer
