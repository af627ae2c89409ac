"""Whether anything outside the envelope comes out of the bridge, as any listener of the graph can tell."""

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
"""m and rad by which a measured posture may swing beyond a command at its limit."""


class EnvelopeWatch:
    """Listens from its construction on.

    Checks the bridge's measurements, independently of the bridge's own counters.

    Args:
        node: Spun by another thread.
        diagnostics: Of the bridge.

    Attributes:
        seen: Postures that were judged.
        measured: Of these, outside the limits or not finite.
        worst: Greatest share of a limit's range that one was beyond it, 0 for none.
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
        """Measured postures, and commands by the bridge's own count."""
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
