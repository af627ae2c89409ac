"""Pursuing a target for good, on a bridge that holds the robot when nobody speaks."""

from __future__ import annotations

import threading
from typing import Any

from geometry_msgs.msg import Pose
from rclpy.node import Node
from reachy_agent_msgs.msg import MotionReport, MotionTarget
from std_msgs.msg import Header

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR, STANDARD
from reachy_agent_ros.tools.body import PoseMotion

PERIOD = 0.05
"""s between two repetitions; the bridge holds the robot after a quarter of a second of silence."""


class TargetStream:
    """Sends a target, and sends it again and again until there is another, or it is stopped or refused.

    A target that the bridge refuses is an error for the next one, because the stream itself has no answers. It is not
    repeated either: what an emergency stop has ended must not go on by itself when the stop is reset.

    Args:
        node: Whose executor must be spinning in another thread.
        commander: Who commands.
    """

    def __init__(self, node: Node, commander: str) -> None:
        self._commander = commander
        self._publisher = node.create_publisher(MotionTarget, names.MOTION_TARGET, SENSOR)
        node.create_subscription(MotionReport, names.MOTION_REPORTS, self._take_report, STANDARD)
        self._changed = threading.Condition()
        self._target: MotionTarget | None = None
        self._refusal: AgentError | None = None
        self._thread: threading.Thread | None = None

    def pursue(self, motion: PoseMotion) -> None:
        """Goes on to another target.

        Raises:
            AgentError: The one before it was refused, and why.
        """
        with self._changed:
            refusal, self._refusal = self._refusal, None
            if refusal is not None:
                raise refusal
            self._target = _message(motion, self._commander)
            self._publisher.publish(self._target)
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._repeat, name="targets", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Nothing is sent any more when this returns; the bridge still has to be told to hold."""
        with self._changed:
            self._target = self._refusal = None
            self._changed.notify()

    def _repeat(self) -> None:
        with self._changed:
            while self._target is not None:
                if not self._changed.wait(PERIOD) and self._target is not None:
                    self._publisher.publish(self._target)
            self._thread = None

    def _take_report(self, report: MotionReport) -> None:
        with self._changed:
            if report.commander == self._commander and report.verdict == MotionReport.REFUSED and self._target:
                self._refusal = AgentError(ErrorCode(report.error_code), report.error_msg)
                self._target = None
                self._changed.notify()


def pose_fields(motion: PoseMotion) -> dict[str, Any]:
    """For an `ExecuteMotion.Goal` or a `MotionTarget`; what the motion leaves alone is not set."""
    right, left = motion.antennas or (0.0, 0.0)
    return {
        "set_head": motion.head is not None,
        "head_pose": Pose() if motion.head is None else pose_message(motion.head),
        "set_antennas": motion.antennas is not None,
        "antenna_right": right,
        "antenna_left": left,
        "set_body": motion.body_yaw is not None,
        "body_yaw": motion.body_yaw or 0.0,
    }


def _message(motion: PoseMotion, commander: str) -> MotionTarget:
    header = Header(frame_id=names.HEAD_BASE_FRAME)
    return MotionTarget(header=header, commander=commander, **pose_fields(motion))
