"""A bridge whose robot is behind a daemon, and what it says of its connection."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from reachy_agent_msgs.msg import RobotState

from chaos.faults.fault import CannotBeInjectedError
from chaos.robot_daemon import EXECUTABLE, RobotDaemon
from chaos.second_graph import second_graph
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

NAMESPACE = "/behind_a_daemon"


class RobotLink:
    """Messages of the bridge, in order.

    Args:
        client: In the bridge's graph.

    Attributes:
        connected: Whether its robot answers; False before it said anything.
    """

    def __init__(self, client: GraphClient) -> None:
        self.connected = False
        self.client = client
        self.bridge = HeartbeatMonitor(client.node, names.HARDWARE_BRIDGE)
        client.node.create_subscription(RobotState, names.ROBOT_STATE, self._take, LATCHED)

    def seconds_until(self, condition: Callable[[], bool], limit: float) -> float:
        """Waits. Returns how long it took; `limit` where it did not come."""
        began, patience = time.monotonic(), Deadline(limit)
        while not condition() and not patience.passed:
            self.client.pause()
        return time.monotonic() - began

    def _take(self, state: RobotState) -> None:
        self.connected = bool(state.connected)


@contextmanager
def robot_link(daemon: RobotDaemon) -> Iterator[RobotLink]:
    """Starts the bridge of a daemon, which need not run yet.

    Raises:
        CannotBeInjectedError: The daemon is not installed.
        AssertionError: The bridge does not run.
    """
    if not EXECUTABLE.exists():
        raise CannotBeInjectedError("The Reachy Mini daemon is not installed: run scripts/daemon-environment.")
    arguments = ("robot:=daemon", f"daemon_url:={daemon.url}")
    with second_graph(NAMESPACE, (names.HARDWARE_BRIDGE,), *arguments) as (second, client):
        link = RobotLink(client)
        link.seconds_until(lambda: link.bridge.alive, 120.0)
        assert link.bridge.alive, f"the bridge does not run: {second.deaths()}"
        yield link
