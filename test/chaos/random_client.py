"""Client that requests random motions from a running graph and cancels half of them."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np
from geometry_msgs.msg import Point, PointStamped
from reachy_agent_msgs.action import ExecuteMotion
from std_msgs.msg import Header
from std_srvs.srv import Trigger

from bench.report import Figure
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message

LONGEST_PAUSE = 9.0  # s; the robot starts to breathe after 5 s
Kind = ExecuteMotion.Goal


class RandomClient:
    """Client that requests random motions, cancels half of them, and sometimes holds or stops the robot.

    Args:
        client: A client in the graph.
        generator: Source of the random choices.
    """

    def __init__(self, client: GraphClient, generator: np.random.Generator) -> None:
        bridge = client.watch(names.HARDWARE_BRIDGE)
        self._generator = generator
        self._motions = ActionCaller(client.node, ExecuteMotion, names.EXECUTE_MOTION, bridge)
        self._services = [
            [ServiceCaller(client.node, Trigger, name, bridge) for name in sequence]
            for sequence in ((names.HOLD,), (names.EMERGENCY_STOP, names.RESET_EMERGENCY_STOP))
        ]
        self._ends: Counter[str] = Counter()

    def act(self) -> None:
        """Executes one motion, hold or emergency stop, then pauses."""
        chance = self._generator.random()
        if chance < 0.1:
            for service in self._services[self._generator.integers(2)]:
                service.call(Trigger.Request())
                time.sleep(0.5)
        else:
            self._move()
        time.sleep(self._generator.choice([0.0, 0.3, LONGEST_PAUSE], p=[0.5, 0.3, 0.2]))

    def figures(self) -> Iterator[Figure]:
        """Yields the number of motions by result."""
        for end, count in sorted(self._ends.items()):
            yield Figure(f"motions that ended: {end.lower().replace('_', ' ')}", count, "")

    def _move(self) -> None:
        cancel = CancelToken()
        if self._generator.random() < 0.5:
            threading.Timer(self._generator.uniform(0.05, 2.0), cancel.cancel).start()
        result = self._motions.call(self._goal(), timeout=30.0, cancel=cancel)
        self._ends[ErrorCode(result.error_code).name] += 1

    def _goal(self) -> ExecuteMotion.Goal:
        kind = int(self._generator.choice([Kind.POSE, Kind.LOOK_AT, Kind.EMOTION, Kind.DANCE]))
        goal = ExecuteMotion.Goal(kind=kind, commander="bench")
        if kind == Kind.POSE:
            roll, pitch = self._generator.normal(0.0, 0.2, 2)
            goal.set_head, goal.head_pose = (
                True,
                pose_message(head_transform(roll, pitch, self._generator.normal(0, 0.6))),
            )
            goal.set_antennas = True
            goal.antenna_right, goal.antenna_left = map(float, self._generator.normal(0.0, 0.8, 2))
        elif kind == Kind.LOOK_AT:
            x, y, z = 0.6, *map(float, self._generator.uniform(-0.5, 0.5, 2))
            goal.point = PointStamped(header=Header(frame_id=names.HEAD_BASE_FRAME), point=Point(x=x, y=y, z=z))
        else:
            goal.name = str(self._generator.choice(emotions() if kind == Kind.EMOTION else dances()))
        return goal
