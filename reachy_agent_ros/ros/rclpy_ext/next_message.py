"""The next message of a topic that is not worth listening to all the time."""

from __future__ import annotations

import threading
from typing import Any

from rclpy.node import Node

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR


class NextMessage:
    """Listens until the first message came. Made and closed in the executor's thread, awaited in a worker's.

    Args:
        node: Whose executor must be spinning.
        message_type: For example `sensor_msgs.msg.JointState`.
        topic: Topic name.
    """

    def __init__(self, node: Node, message_type: type, topic: str) -> None:
        self._node = node
        self._topic = topic
        self._message: Any = None
        self._arrived = threading.Event()
        self._subscription = node.create_subscription(message_type, topic, self._receive, SENSOR)

    def wait(self, timeout: float) -> Any:
        """The message.

        Args:
            timeout: s.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` when none came in time.
        """
        if not self._arrived.wait(timeout):
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"Nothing arrived on {self._topic} within {timeout:g} s.")
        return self._message

    def close(self) -> None:
        """Stops listening."""
        self._node.destroy_subscription(self._subscription)

    def _receive(self, message: Any) -> None:
        self._message = message
        self._arrived.set()
