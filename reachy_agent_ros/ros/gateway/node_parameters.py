"""How another node was configured, as it says itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rcl_interfaces.srv import GetParameters
from rclpy.node import Node
from rclpy.parameter import parameter_value_to_python

from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat_watches import HeartbeatWatches


class NodeParameters:
    """Asks one node; what it said holds until it is another process, because all parameters here are read-only.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
        other: Name of the node to ask.
        wanted: Names of its parameters.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches, other: str, wanted: Sequence[str]) -> None:
        self._watch = watches.of(other)
        self._caller = ServiceCaller(node, GetParameters, f"{other}/get_parameters", self._watch)
        self._wanted = list(wanted)
        self._pid = 0
        self._values: dict[str, Any] = {}

    async def values(self) -> dict[str, Any]:
        """Their values by name.

        Raises:
            AgentError: The node is not there.
        """
        last = self._watch.last
        if not (self._watch.alive and last is not None and last.pid == self._pid):
            request = GetParameters.Request(names=self._wanted)
            answer = await in_thread(lambda token: self._caller.call(request, cancel=token))
            found = map(parameter_value_to_python, answer.values)
            self._values = dict(zip(self._wanted, found, strict=True))
            self._pid = self._watch.last.pid if self._watch.last else 0
        return self._values
