"""Client of the trainer, and a simulated hand that makes the robot's head nod."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from reachy_agent_msgs.action import Evaluate, ExecuteTool, RecordDemonstration, Train
from reachy_agent_msgs.msg import MotionTarget, RobotState, TrainingStatus
from reachy_agent_msgs.srv import GetRobotState
from std_msgs.msg import Header

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from support.nodes.node_process import Ros
from support.nodes.observed_calls import ActionCaller, ServiceCaller

LIMIT = 100.0
"""Timeout of any wait in this client, s, even on a busy machine."""

AMPLITUDE = math.radians(12.0)
TEMPO = 0.8
"""Frequency of the demonstrated nod, Hz, which is slower than the built-in gesture."""


class TrainerClient:
    """Client that uses the ROS node of the test to communicate with a running trainer and hardware bridge."""

    def __init__(self, ros: Ros) -> None:
        self.node = ros.node
        self.trainer = HeartbeatMonitor(self.node, names.TRAINER)
        bridge, tools = (
            HeartbeatMonitor(self.node, names.HARDWARE_BRIDGE),
            HeartbeatMonitor(self.node, names.TOOL_SERVER),
        )
        self.statuses: list[TrainingStatus] = []
        self.node.create_subscription(TrainingStatus, names.TRAINING_STATUS, self.statuses.append, LATCHED)
        self.records = ActionCaller(self.node, RecordDemonstration, names.RECORD_DEMONSTRATION, self.trainer)
        self.trains = ActionCaller(self.node, Train, names.TRAIN, self.trainer)
        self.evaluates = ActionCaller(self.node, Evaluate, names.EVALUATE, self.trainer)
        self.tools = ActionCaller(self.node, ExecuteTool, names.EXECUTE_TOOL, tools)
        self.feedback: list[Any] = []
        self._hand = self.node.create_publisher(MotionTarget, names.TEACH_TARGET, STANDARD)
        self._remote = self.node.create_publisher(MotionTarget, names.MOTION_TARGET, STANDARD)
        self._state = ServiceCaller(self.node, GetRobotState, names.GET_ROBOT_STATE, bridge)
        self._pool = ThreadPoolExecutor(4)

    def begin(self, caller: ActionCaller, goal: Any, cancel: CancelToken | None = None) -> Future[Any]:
        self.feedback.clear()
        return self._pool.submit(caller.call, goal, LIMIT, cancel, self.feedback.append, grace=LIMIT)

    def state(self) -> RobotState:
        return self._state.call(GetRobotState.Request(), LIMIT).state

    @property
    def guided(self) -> bool:
        return bool(self.state().motor_mode == RobotState.MOTORS_GRAVITY_COMPENSATION)

    @contextmanager
    def nodding(self, by_hand: bool) -> Iterator[None]:
        """Makes the head nod during a `with` block, with a simulated hand or with motion commands."""
        publisher = self._hand if by_hand else self._remote
        ended = threading.Event()

        def nod() -> None:
            began = time.monotonic()
            while not ended.wait(0.02):
                pitch = AMPLITUDE * math.sin(math.tau * TEMPO * (time.monotonic() - began))
                head = pose_message(head_transform(pitch=pitch))
                header = Header(frame_id=names.HEAD_BASE_FRAME)
                publisher.publish(MotionTarget(header=header, commander="person", set_head=True, head_pose=head))

        thread = threading.Thread(target=nod)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
