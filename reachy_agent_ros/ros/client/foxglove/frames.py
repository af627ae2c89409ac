"""The robot's frames for Foxglove, also where this ROS installation has neither TF nor `robot_state_publisher`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree import ElementTree

import numpy as np
from foxglove import Context
from foxglove.channels import FrameTransformsChannel
from foxglove.messages import FrameTransform, FrameTransforms, Quaternion, Timestamp, Vector3
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from sensor_msgs.msg import JointState

from reachy_agent_ros.core import names
from reachy_agent_ros.core.pace import Pace
from reachy_agent_ros.core.pose import quaternion_from_matrix
from reachy_agent_ros.robot.link_frames import LinkFrame, LinkFrames
from reachy_agent_ros.robot.urdf import robot_description
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR

TOPIC = "/tf"

PERIOD = 1.0 / 30.0
"""s between two pictures of the robot; the bridge measures at 100 Hz."""


class Frames:
    """Works out every link from `joint_states` and `head_pose`.

    Args:
        node: Whose executor runs the callbacks.
        context: Of the server that sends them.

    Attributes:
        channel: Number of what viewers subscribe to.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` where the `reachy_mini` package is incomplete.
    """

    def __init__(self, node: Node, context: Context) -> None:
        self._node = node
        self._frames = LinkFrames(ElementTree.fromstring(robot_description()))  # noqa: S314 - our own
        self._transforms = FrameTransformsChannel(TOPIC, context=context)
        self._head = np.eye(4)
        self._pace = Pace(PERIOD)
        self.channel = self._transforms.id()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Sends them as long as the `with` block lasts."""
        subscriptions = (
            self._node.create_subscription(PoseStamped, names.HEAD_POSE, self._place_head, SENSOR),
            self._node.create_subscription(JointState, names.JOINT_STATES, self._send, SENSOR),
        )
        try:
            yield
        finally:
            for subscription in subscriptions:
                self._node.destroy_subscription(subscription)

    def _place_head(self, pose: PoseStamped) -> None:
        self._head = transform_from_pose(pose.pose)

    def _send(self, joints: JointState) -> None:
        if not self._pace.is_due():
            return
        stamp = Timestamp(sec=joints.header.stamp.sec, nsec=joints.header.stamp.nanosec)
        positions = dict(zip(joints.name, joints.position, strict=False))
        placed = self._frames.at(positions, self._head)
        self._transforms.log(FrameTransforms(transforms=[_transform(frame, stamp) for frame in placed]))


def _transform(frame: LinkFrame, stamp: Timestamp) -> FrameTransform:
    x, y, z = frame.transform[:3, 3].tolist()
    qx, qy, qz, qw = quaternion_from_matrix(frame.transform).tolist()
    return FrameTransform(
        timestamp=stamp,
        parent_frame_id=frame.parent,
        child_frame_id=frame.child,
        translation=Vector3(x=x, y=y, z=z),
        rotation=Quaternion(x=qx, y=qy, z=qz, w=qw),
    )
