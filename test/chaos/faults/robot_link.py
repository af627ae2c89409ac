"""Bridge that connects to a robot daemon, and a monitor of the connection."""

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
    """Monitor of the connection between a bridge and its robot.

    Args:
        client: Client in the graph of the bridge.

    Attributes:
        connected: Whether the bridge reports a connected robot; False before the first report.
    """

    def __init__(self, client: GraphClient) -> None:
        self.connected = False
        self.client = client
        self.bridge = HeartbeatMonitor(client.node, names.HARDWARE_BRIDGE)
        client.node.create_subscription(RobotState, names.ROBOT_STATE, self._take, LATCHED)

    def seconds_until(self, condition: Callable[[], bool], limit: float) -> float:
        """Waits until a condition is true, for at most `limit` seconds. Returns the waiting time (s)."""
        began, patience = time.monotonic(), Deadline(limit)
        while not condition() and not patience.passed:
            self.client.pause()
        return time.monotonic() - began

    def _take(self, state: RobotState) -> None:
        self.connected = bool(state.connected)


@contextmanager
def robot_link(daemon: RobotDaemon) -> Iterator[RobotLink]:
    """Starts a bridge that connects to a daemon. The daemon need not run yet.

    Raises:
        CannotBeInjectedError: The daemon is not installed.
        AssertionError: The bridge does not start.
    """
    if not EXECUTABLE.exists():
        raise CannotBeInjectedError("The Reachy Mini daemon is not installed: run scripts/daemon-environment.")
    arguments = ("robot:=daemon", f"daemon_url:={daemon.url}")
    with second_graph(NAMESPACE, (names.HARDWARE_BRIDGE,), *arguments) as (second, client):
        link = RobotLink(client)
        link.seconds_until(lambda: link.bridge.alive, 120.0)
        assert link.bridge.alive, f"the bridge does not start: {second.deaths()}"
        yield link
