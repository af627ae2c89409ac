"""Fault 3: bridge frozen for five seconds."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterator
from random import Random

from geometry_msgs.msg import PoseStamped
from reachy_agent_msgs.msg import MotionTarget
from std_msgs.msg import Header

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count
from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import head_transform, rpy_from_matrix
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message, transform_from_pose, wall_stamp
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

PERIOD = 0.02  # s between two targets
PAUSE = 5.0  # s that the bridge is suspended
QUIET = 0.5  # s at the end of the pause without targets
WATCHED = 2.0  # s of observation after the pause


class StoppedBridge:
    """A suspended bridge.

    Commands to the bridge are outdated when it resumes, and must not move the robot.
    """

    number = 3
    title = "bridge frozen for five seconds"
    injected = "SIGSTOP to hardware_bridge; targets are sent until half a second before SIGCONT"
    expected = "these targets cause no motion; the bridge continues without a restart"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Suspends the bridge while targets are sent, then checks that outdated targets do not move the robot."""
        yaws: list[float] = []
        node = graph.client.node
        node.create_subscription(PoseStamped, names.HEAD_POSE, lambda message: yaws.append(_yaw(message)), STANDARD)
        targets = node.create_publisher(MotionTarget, names.MOTION_TARGET, STANDARD)
        side = random.choice((-1.0, 1.0))
        stream = _Stream(targets.publish)
        stream.send(0.0, 1.5)
        before = graph.restarts()
        bridge = graph.process(names.HARDWARE_BRIDGE)
        bridge.send_signal(signal.SIGSTOP)
        try:
            stream.send(side * random.uniform(0.4, 0.7), PAUSE - QUIET)
            time.sleep(QUIET)
            yaws.clear()
        finally:
            bridge.send_signal(signal.SIGCONT)
        time.sleep(WATCHED)
        assert yaws, "no measurements of the bridge after it was resumed"
        turned = math.degrees(max(abs(yaw) for yaw in yaws))
        yield Figure("turn of the head towards the outdated targets", turned, "deg", 3.0)
        yield Figure("until the graph is whole, beyond the two seconds watched", graph.await_whole(), "s", 3.0)
        yield count("restarts", sum(graph.restarts().values()) - sum(before.values()))


class _Stream:
    def __init__(self, publish: Callable[[MotionTarget], None]) -> None:
        self._publish = publish

    def send(self, yaw: float, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            header = Header(stamp=wall_stamp(), frame_id=names.HEAD_BASE_FRAME)
            pose = pose_message(head_transform(yaw=yaw))
            self._publish(MotionTarget(header=header, commander="campaign", set_head=True, head_pose=pose))
            time.sleep(PERIOD)


def _yaw(message: PoseStamped) -> float:
    return float(rpy_from_matrix(transform_from_pose(message.pose))[2])
