"""The watches of one node: one of each other node, however many of its parts ask."""

from __future__ import annotations

from rclpy.node import Node

from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatch


class HeartbeatWatches:
    """Makes and shares them: every further subscription of the same heartbeat would cost a callback for each beat.

    Args:
        node: Whose executor runs the callbacks.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._watches: dict[str, HeartbeatWatch] = {}

    def of(self, other: str) -> HeartbeatWatch:
        """The watch of a node, by its name relative to the namespace."""
        if other not in self._watches:
            self._watches[other] = HeartbeatWatch(self._node, other)
        return self._watches[other]
