"""Speech synthesis with motion: the head of the simulated robot moves with the sound of its speech."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from geometry_msgs.msg import PoseStamped, Vector3
from reachy_agent_msgs.action import Say
from reachy_agent_msgs.msg import MotionOffset

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import Matrix, angle_between
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR, STANDARD
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ActionCaller
from support.waiting import wait_until

SENTENCE = "I look to the left, and then I look to the right, and then I tell you all that I have seen."
WINDOW = 25
"""Number of head poses received in half a second."""


class Audience:
    """Client that makes the robot speak and records the head poses."""

    def __init__(self, ros: Ros) -> None:
        self.heads: list[Matrix] = []
        self.offsets: list[MotionOffset] = []
        self._say = ActionCaller(ros.node, Say, names.SAY, HeartbeatMonitor(ros.node, names.TTS))
        ros.node.create_subscription(PoseStamped, names.HEAD_POSE, self._see, STANDARD)
        ros.node.create_subscription(MotionOffset, names.MOTION_OFFSET, self.offsets.append, SENSOR)

    def say(self, cancel: CancelToken | None = None) -> Say.Result:
        return self._say.call(Say.Goal(text=SENTENCE), 60.0, cancel=cancel)

    def wait_for_stillness(self) -> Matrix:
        """Waits until the head has not moved for half a second. Returns the head pose."""
        seen = len(self.heads)
        wait_until(lambda: len(self.heads) > seen + WINDOW and self._spread(WINDOW) < math.radians(0.1), "rest")
        return self.heads[-1]

    def _spread(self, count: int) -> float:
        return max(angle_between(self.heads[-1], head) for head in self.heads[-count:])

    def _see(self, message: PoseStamped) -> None:
        self.heads.append(transform_from_pose(message.pose))


@pytest.fixture(scope="module")
def robot(ros: Ros) -> Iterator[Audience]:
    with NodeProcess("hardware_bridge", {"breathing_pause": 0.0}) as body, NodeProcess("tts") as mouth:
        body.wait_ready()
        mouth.wait_ready()
        yield Audience(ros)


def test_head_moves_only_during_speech(robot: Audience) -> None:
    before = robot.wait_for_stillness()
    robot.heads.clear()
    assert robot.say().error_code == ErrorCode.NONE
    moved = np.degrees([angle_between(before, head) for head in robot.heads])
    assert moved.max() > 1.0
    assert np.abs(np.diff(moved)).sum() > 5.0
    assert all(offset.source == MotionOffset.SPEECH for offset in robot.offsets)
    after = robot.wait_for_stillness()
    assert math.degrees(angle_between(before, after)) < 2.0
    assert (robot.offsets[-1].translation, robot.offsets[-1].rotation) == (Vector3(), Vector3())


def test_cancelling_speech_ends_head_movement(robot: Audience) -> None:
    robot.wait_for_stillness()
    robot.offsets.clear()
    cancel = CancelToken()
    results: list[Say.Result] = []
    threading.Thread(target=lambda: results.append(robot.say(cancel))).start()
    wait_until(lambda: len(robot.offsets) > WINDOW, "the head to wobble")
    cancel.cancel()
    wait_until(lambda: bool(results), "the result")
    assert results[0].error_code == ErrorCode.CANCELED
    wait_until(lambda: robot.offsets[-1].rotation == Vector3(), "the last offset")
    robot.wait_for_stillness()
