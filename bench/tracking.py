"""How soon the head answers a face that has moved: from the picture's stamp to the first measured motion.

Run with nothing else running: `reachy-agent bench tracking`, two minutes.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator

import numpy as np
from face_board import FaceBoard, face_argument
from geometry_msgs.msg import PoseStamped
from reachy_agent_msgs.action import ExecuteMotion
from reachy_agent_msgs.msg import FaceTarget
from report import Figure, percentile, print_report
from running_graph import running_graph
from std_srvs.srv import SetBool

from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.pose import Matrix, angle_between
from reachy_agent_ros.nodes.calls import ActionCaller, ServiceCaller
from reachy_agent_ros.nodes.client import GraphClient
from reachy_agent_ros.nodes.convert import pose_message, seconds_of, transform_from_pose
from reachy_agent_ros.nodes.qos import STANDARD

LEAPS = 30
ASIDE = math.radians(12.0)  # to either side of straight ahead
MOVED = 0.05  # m that a face's place changes when it leaps
FIRST_MOTION = 0.001  # rad, twenty times the noise of the measured pose at rest
CREEPING = 0.0005  # rad in half a second
PATIENCE = 4.5  # s


def main(as_json: bool) -> int:
    """Measures a graph of its own. Returns 0 whatever the figures say."""
    with face_argument() as face, running_graph(face) as (client, _):
        figures = list(answers(client))
    print_report("tracking", figures, as_json)
    return 0


def answers(client: GraphClient) -> Iterator[Figure]:
    """Lets the face leap from side to side, each time once the head has come to rest."""
    board, observer = FaceBoard(client.node), Observer(client)
    ServiceCaller(client.node, SetBool, names.HEAD_TRACKING, client.watch(names.VISION)).call(
        SetBool.Request(data=True)
    )
    bridge = client.watch(names.HARDWARE_BRIDGE)
    motions = ActionCaller(client.node, ExecuteMotion, names.EXECUTE_MOTION, bridge)
    straight = ExecuteMotion.Goal(commander="bench", set_head=True, head_pose=pose_message(np.eye(4)))
    board.show(ASIDE)
    times = []
    for leap in range(LEAPS):
        motions.call(straight, timeout=10.0)  # for the next five seconds it does not breathe
        rest = observer.await_rest()
        board.show(ASIDE * (-1) ** (leap + 1))
        times.append(1e3 * (observer.first_motion(rest) - observer.first_sight()))
    yield Figure("stamp of the picture to first measured motion, median", percentile(times, 50), "ms", 150.0)
    yield Figure("stamp of the picture to first measured motion, p95", percentile(times, 95), "ms")


class Observer:
    """Remembers where the head and the face were.

    Args:
        client: In the graph.
    """

    def __init__(self, client: GraphClient) -> None:
        self._heads: deque[tuple[float, Matrix]] = deque(maxlen=500)
        self._faces: deque[tuple[float, np.ndarray]] = deque(maxlen=100)
        client.node.create_subscription(PoseStamped, names.HEAD_POSE, self._take_head, STANDARD)
        client.node.create_subscription(FaceTarget, names.FACE_TARGET, self._take_face, STANDARD)

    def await_rest(self) -> Matrix:
        """Waits for a head that keeps still before a face. Returns where it is; what was before is forgotten."""
        patience = Deadline(PATIENCE)
        while True:
            time.sleep(0.5)
            recent = [head for stamp, head in list(self._heads) if stamp > time.time() - 0.5]
            if self._faces and recent and max(angle_between(recent[-1], head) for head in recent) < CREEPING:
                self._faces = deque([self._faces[-1]], maxlen=100)
                self._heads.clear()
                return recent[-1]
            assert not patience.passed, "the head does not come to rest"

    def first_motion(self, rest: Matrix) -> float:
        """Stamp, s, of the first pose away from rest."""
        patience = Deadline(PATIENCE)
        while not patience.passed:
            time.sleep(0.02)
            for stamp, head in list(self._heads):
                if angle_between(rest, head) > FIRST_MOTION:
                    return stamp
        raise AssertionError("the head does not answer")

    def first_sight(self) -> float:
        """Stamp, s, of the first picture in which the face was somewhere else."""
        (_, before), *later = list(self._faces)
        return next(stamp for stamp, place in later if np.linalg.norm(place - before) > MOVED)

    def _take_head(self, message: PoseStamped) -> None:
        self._heads.append((seconds_of(message.header.stamp), transform_from_pose(message.pose)))

    def _take_face(self, message: FaceTarget) -> None:
        if message.visible:
            place = message.position
            self._faces.append((seconds_of(message.header.stamp), np.array([place.x, place.y, place.z])))
