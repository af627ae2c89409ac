"""Tells the body that somebody speaks to the robot, so that it keeps still for the microphone."""

from __future__ import annotations

import threading

from std_msgs.msg import Bool

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

REFRESH_PERIOD = 0.1
"""s. The body takes a signal of half a second's age for a dead listener and moves again."""


class ListeningSignal:
    """Publishes `listening`: every change at once, and while it is true again and again.

    Args:
        node: Node that publishes.
    """

    def __init__(self, node: AgentNode) -> None:
        self._publisher = node.create_publisher(Bool, names.LISTENING, STANDARD)
        self._lock = threading.Lock()  # without it the timer's "true" could come after the end's "false"
        self._listening = False
        node.every(REFRESH_PERIOD, self._refresh)

    def update(self, listening: bool) -> None:
        """Takes whether somebody speaks to the robot now. Any thread may call it."""
        with self._lock:
            if listening is not self._listening:
                self._listening = listening
                self._publisher.publish(Bool(data=listening))

    def _refresh(self) -> None:
        with self._lock:
            if self._listening:
                self._publisher.publish(Bool(data=True))
