"""Detection of the first measured motion of the head after rest."""

from __future__ import annotations

import time
from collections import deque

from geometry_msgs.msg import PoseStamped

from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.pose import Matrix, angle_between
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

MOTION = 0.001  # rad: twenty times the noise of the measured pose at rest
CREEPING = 0.0005  # rad in 0.5 s, below which the last motion counts as ended
REST = 0.5  # s
PATIENCE = 4.5  # s to come to rest: after 5 s, the robot breathes
LONGEST_WAIT = 10.0  # s for a motion
KEPT = 2000  # poses: 40 s


class FirstMotion:
    """Monitors the head of a running graph.

    Args:
        client: Client in the graph.
    """

    def __init__(self, client: GraphClient) -> None:
        self._heads: deque[tuple[float, Matrix]] = deque(maxlen=KEPT)
        self._rest: Matrix | None = None
        client.node.create_subscription(PoseStamped, names.HEAD_POSE, self._receive, STANDARD)

    def await_rest(self) -> None:
        """Waits until the head is at rest, and discards earlier poses. The head creeps for a while after a move."""
        patience = Deadline(PATIENCE)
        while True:
            time.sleep(REST)
            recent = [head for stamp, head in list(self._heads) if stamp > time.time() - REST]
            if recent and max(angle_between(recent[-1], head) for head in recent) < CREEPING:
                self._rest = recent[-1]
                self._heads.clear()
                return
            assert not patience.passed, "the head does not come to rest"

    def stamp(self) -> float:
        """Waits for the first motion after rest. Returns the time stamp (s since the epoch) of its first pose."""
        patience = Deadline(LONGEST_WAIT)
        assert self._rest is not None
        while not patience.passed:
            for stamp, head in list(self._heads):
                if angle_between(self._rest, head) > MOTION:
                    return stamp
            time.sleep(0.02)
        raise AssertionError("the head does not move")

    def _receive(self, message: PoseStamped) -> None:
        self._heads.append((seconds_of(message.header.stamp), transform_from_pose(message.pose)))
