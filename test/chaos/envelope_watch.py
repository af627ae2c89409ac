"""Monitor that checks whether the bridge publishes measured postures or sends commands outside the safety envelope."""

from __future__ import annotations

import math

import numpy as np
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from sensor_msgs.msg import JointState

from bench.bridge_diagnostics import BridgeDiagnostics
from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

SLACK = np.array([0.005] * 3 + [math.radians(3.0)] * 6)
"""Tolerance by which a measured posture may overshoot a limit: position in m, angles in rad."""


class EnvelopeWatch:
    """Monitor that checks the measured postures without using the counters of the bridge.

    Args:
        node: Node that another thread spins.
        diagnostics: Diagnostics of the bridge.

    Attributes:
        seen: Number of checked postures.
        measured: Number of postures that were outside the limits or not finite.
        worst: Largest violation of a limit, as a share of the range of the limit; 0 without a violation.
    """

    def __init__(self, node: Node, diagnostics: BridgeDiagnostics) -> None:
        self.seen = self.measured = 0
        self.worst = 0.0
        self._diagnostics = diagnostics
        self._joints: dict[str, float] = {}
        node.create_subscription(JointState, names.JOINT_STATES, self._take_joints, STANDARD)
        node.create_subscription(PoseStamped, names.HEAD_POSE, self._judge, STANDARD)

    @property
    def outside(self) -> int:
        """Number of measured postures outside the envelope, plus the bridge's count of commands outside it."""
        return self.measured + self._diagnostics.outside

    def _take_joints(self, message: JointState) -> None:
        self._joints = dict(zip(message.name, message.position, strict=True))

    def _judge(self, message: PoseStamped) -> None:
        if not self._joints:
            return
        joints = self._joints
        head = transform_from_pose(message.pose)
        pose = BodyPose(head, joints["right_antenna"], joints["left_antenna"], joints["yaw_body"])
        values = coordinates(pose)
        beyond = np.maximum(LOW - values, values - HIGH)
        self.seen += 1
        self.worst = max(self.worst, float((beyond / (HIGH - LOW)).max()))
        self.measured += not np.isfinite(values).all() or bool((beyond > SLACK).any())
