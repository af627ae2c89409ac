"""Head tracking latency: time from the image of a moved face to the first measured motion of the head.

Run `scripts/evaluate tracking` with nothing else running. It takes two minutes.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator

import numpy as np
from reachy_agent_msgs.action import ExecuteMotion
from reachy_agent_msgs.msg import FaceTarget
from std_srvs.srv import SetBool

from bench.first_motion import FirstMotion
from bench.report import Figure, percentile, print_report
from bench.running_graph import running_graph
from evaluation.vision.face_board import FaceBoard, face_argument
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message, seconds_of
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

LEAPS = 30
ASIDE = math.radians(12.0)  # to either side of straight ahead
MOVED = 0.05  # m between the positions of a face before and after a jump
PATIENCE = 10.0  # s until a face is detected


def main(as_json: bool) -> int:
    """Measures the latency with a new graph. Always returns exit code 0."""
    with face_argument() as face, running_graph(face) as (client, _):
        figures = list(answers(client))
    print_report("tracking", figures, as_json)
    return 0


def answers(client: GraphClient) -> Iterator[Figure]:
    """Measures how fast the head follows a face that jumps from side to side.

    The head is at rest before each jump.
    """
    board, sight, motion = FaceBoard(client.node), FaceSight(client), FirstMotion(client)
    ServiceCaller(client.node, SetBool, names.HEAD_TRACKING, client.watch(names.VISION)).call(
        SetBool.Request(data=True)
    )
    bridge = client.watch(names.HARDWARE_BRIDGE)
    motions = ActionCaller(client.node, ExecuteMotion, names.EXECUTE_MOTION, bridge)
    straight = ExecuteMotion.Goal(commander="bench", set_head=True, head_pose=pose_message(np.eye(4)))
    board.show(ASIDE)
    sight.forget()
    times = []
    for leap in range(LEAPS):
        motions.call(straight, timeout=10.0)  # prevents breathing for 5 s
        motion.await_rest()
        sight.forget()
        board.show(ASIDE * (-1) ** (leap + 1))
        times.append(1e3 * (motion.stamp() - sight.first_elsewhere()))
    yield Figure("stamp of the picture to first measured motion, median", percentile(times, 50), "ms", 150.0)
    yield Figure("stamp of the picture to first measured motion, p95", percentile(times, 95), "ms")


class FaceSight:
    """Recorder of the positions of the attended face.

    Args:
        client: Client in the graph.
    """

    def __init__(self, client: GraphClient) -> None:
        self._places: deque[tuple[float, Vector]] = deque(maxlen=100)
        client.node.create_subscription(FaceTarget, names.FACE_TARGET, self._take, STANDARD)

    def forget(self) -> None:
        """Waits until a face is detected, and discards all positions except the last one."""
        patience = Deadline(PATIENCE)
        while not self._places:
            assert not patience.passed, "no face is seen"
            time.sleep(0.02)
        last = self._places[-1]
        self._places.clear()
        self._places.append(last)

    def first_elsewhere(self) -> float:
        """Returns the time stamp (s) of the first image since `forget` that shows the face at another position."""
        (_, before), *later = list(self._places)
        return next(stamp for stamp, place in later if np.linalg.norm(place - before) > MOVED)

    def _take(self, message: FaceTarget) -> None:
        if message.visible:
            place = message.position
            self._places.append((seconds_of(message.header.stamp), np.array([place.x, place.y, place.z])))
