"""Diagnostics of the bridge's motion loop and safety gate."""

from __future__ import annotations

from itertools import pairwise

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

_OUTSIDE = ("violations", "jumps")
"""Counters of commands outside the limits, which the bridge checks independently of the gate."""


class BridgeDiagnostics:
    """Collector of the diagnostics of the bridge.

    Args:
        node: Node that another thread spins.

    Attributes:
        loop: Values of the motion loop's statuses, oldest first; each covers 30 s.
        gate: Values of the safety gate's statuses, oldest first.
    """

    def __init__(self, node: Node) -> None:
        self.loop: list[dict[str, str]] = []
        self.gate: list[dict[str, str]] = []
        self._lists = {"motion loop": self.loop, "safety gate": self.gate}
        node.create_subscription(DiagnosticArray, "/diagnostics", self._receive, STANDARD)

    @property
    def outside(self) -> int:
        """Number of commands outside the limits. The number includes commands before a restart of the bridge."""
        return sum(self._counted(counter) for counter in _OUTSIDE)

    def _counted(self, counter: str) -> int:
        counts = [0, *(int(float(values[counter])) for values in list(self.gate))]
        return sum(now - before if now >= before else now for before, now in pairwise(counts))

    def _receive(self, message: DiagnosticArray) -> None:
        for status in message.status:
            owner, _, concern = status.name.partition(": ")
            if owner == names.HARDWARE_BRIDGE and concern in self._lists:
                self._lists[concern].append({value.key: value.value for value in status.values})
