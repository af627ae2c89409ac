"""All inputs of a graph that ROS reports.

They are topics with a subscriber, services, and the services of actions.
"""

from __future__ import annotations

import time
from contextlib import suppress
from importlib import import_module
from typing import Any, Protocol

from rclpy._rclpy_pybind11 import RCLError
from rclpy.client import Client
from rclpy.node import Node
from rclpy.publisher import Publisher

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.client.topic_view import message_type
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

PATIENCE = 90.0
"""Timeout of a service, s. The verification of a tool takes the longest."""

_ACTION_PARTS = {"SendGoal": "SendGoalService", "GetResult": "GetResultService"}


class Entrance(Protocol):
    """Input of a graph: a topic or a service.

    Attributes:
        name: Name of the topic or service.
        kind: Type of the message or request.
    """

    name: str
    kind: type

    def send(self, message: Any) -> bool:
        """Sends a message to the input. Returns False if a service does not respond in time.

        A topic also accepts bytes.
        """
        ...


class TopicEntrance:
    """Topic input of a graph: a topic that has a subscriber."""

    def __init__(self, node: Node, name: str, kind: type) -> None:
        self.name, self.kind = name, kind
        self._publisher: Publisher[Any] = node.create_publisher(kind, name, LATCHED)

    def send(self, message: Any) -> bool:
        """Implements `Entrance`."""
        with suppress(RCLError):  # Fast DDS rejects bytes that exceed the size of a fixed-size type
            self._publisher.publish(message)
        return True


class ServiceEntrance:
    """Service input of a graph: a service, or a service of an action.

    If an action accepts a goal, the goal is canceled immediately.
    """

    def __init__(self, node: Node, name: str, service: Any) -> None:
        self.name, self.kind = name, service.Request
        self._client: Client[Any, Any] = node.create_client(service, name)
        self._cancel: Client[Any, Any] | None = None
        if name.endswith("/_action/send_goal"):
            cancel = import_module("action_msgs.srv").CancelGoal
            self._cancel = node.create_client(cancel, name.replace("/send_goal", "/cancel_goal"))

    def send(self, message: Any) -> bool:
        """Implements `Entrance`."""
        deadline = Deadline(PATIENCE)
        if not self._client.wait_for_service(timeout_sec=PATIENCE):
            return False
        answer = self._client.call_async(message)
        while not answer.done():
            if deadline.passed:
                self._client.remove_pending_request(answer)
                return False
            time.sleep(0.001)
        if self._cancel is not None and getattr(answer.result(), "accepted", False):
            wish = self._cancel.srv_type.Request()
            wish.goal_info.goal_id = message.goal_id
            self._cancel.call_async(wish)
        return True


def entrances(node: Node) -> list[Entrance]:
    """Returns the inputs of the graph, sorted by name. The services of the given node are not included."""
    own = {name for name, _ in node.get_service_names_and_types_by_node(node.get_name(), node.get_namespace())}
    found: list[Entrance] = []
    for name, (kind, *_) in sorted(node.get_topic_names_and_types()):
        # Heartbeats need a publisher with a deadline, and a publisher that misses it counts as a dead node.
        if node.count_subscribers(name) and "/_action/" not in name and not name.endswith("/heartbeat"):
            found.append(TopicEntrance(node, name, message_type(kind)))
    for name, (kind, *_) in sorted(node.get_service_names_and_types()):
        if name not in own:
            found.append(ServiceEntrance(node, name, service_type(kind)))
    return found


def service_type(kind: str) -> Any:
    """Returns the class for the name of a service type.

    The service may belong to an action, as in `reachy_agent_msgs/action/Say_SendGoal`.
    """
    package, folder, name = kind.split("/")
    if folder == "srv":
        return getattr(import_module(f"{package}.srv"), name)
    action, _, part = name.rpartition("_")
    return getattr(getattr(import_module(f"{package}.action"), action).Impl, _ACTION_PARTS[part])
