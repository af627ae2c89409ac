"""The robot's model for whoever draws it: its URDF on a topic, and its frames on /tf where ROS has TF."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import Quaternion, Transform, TransformStamped, Vector3
from rclpy.node import Node
from rclpy.publisher import Publisher
from std_msgs.msg import Header, String

from reachy_agent_ros.core import names
from reachy_agent_ros.core.names import BASE_FRAME, CAMERA_FRAME, HEAD_BASE_FRAME, HEAD_BASE_HEIGHT, HEAD_FRAME
from reachy_agent_ros.core.pose import Matrix, head_transform
from reachy_agent_ros.robot.urdf import robot_description
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message, wall_stamp
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from reachy_agent_ros.vision.eye import HEAD_FROM_OPTICAL

try:
    from tf2_msgs.msg import TFMessage
except ImportError:  # the ROS wheels on PyPI come without tf2
    TFMessage = None


def publish_description(node: Node) -> Publisher[Any]:
    """Publishes `robot_description` once, latched. Keep the publisher: the text lives as long as it does.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` where the `reachy_mini` package is incomplete.
    """
    publisher = node.create_publisher(String, names.ROBOT_DESCRIPTION, LATCHED)
    publisher.publish(String(data=robot_description()))
    return publisher


class TransformPublisher:
    """Publishes base_link -> head_base and head -> camera_optical once, and head_base -> head with every sample.

    Without tf2_msgs it publishes nothing: `head_pose` and the URDF then say the same.

    Args:
        node: Node that publishes.
    """

    def __init__(self, node: Node) -> None:
        self.available = TFMessage is not None
        if not self.available:
            return
        self._moving = node.create_publisher(TFMessage, "/tf", STANDARD)
        self._fixed = node.create_publisher(TFMessage, "/tf_static", LATCHED)
        self._fixed.publish(TFMessage(transforms=fixed_transforms()))

    def publish_head(self, header: Header, head: Matrix) -> None:
        """Publishes where the head is; the header's frame is `head_base`."""
        if self.available:
            self._moving.publish(TFMessage(transforms=[transform_message(header, HEAD_FRAME, head)]))


def fixed_transforms() -> list[TransformStamped]:
    """Where frames are that never move in their parent; one message for all, as the latest alone is kept."""
    stamp = wall_stamp()
    return [
        transform_message(Header(stamp=stamp, frame_id=parent), child, transform)
        for parent, child, transform in (
            (BASE_FRAME, HEAD_BASE_FRAME, head_transform(z=HEAD_BASE_HEIGHT)),
            (HEAD_FRAME, CAMERA_FRAME, HEAD_FROM_OPTICAL),
        )
    ]


def transform_message(header: Header, child: str, transform: Matrix) -> TransformStamped:
    """Pose (4x4, m) of the frame `child` in the header's frame."""
    pose = pose_message(transform)
    position, orientation = pose.position, pose.orientation
    return TransformStamped(
        header=header,
        child_frame_id=child,
        transform=Transform(
            translation=Vector3(x=position.x, y=position.y, z=position.z),
            rotation=Quaternion(x=orientation.x, y=orientation.y, z=orientation.z, w=orientation.w),
        ),
    )
