"""Messages of the hardware bridge: samples of the motion loop, robot description and transforms."""

from __future__ import annotations

import math
from typing import Any

from geometry_msgs.msg import PoseStamped, Quaternion, Transform, TransformStamped
from rclpy.node import Node
from rclpy.publisher import Publisher
from reachy_agent_msgs.action import ExecuteMotion
from reachy_agent_msgs.msg import MotionReport, MotionTarget, SceneObjects
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Header, String

from reachy_agent_ros.core import names
from reachy_agent_ros.core.names import BASE_FRAME, CAMERA_FRAME, HEAD_BASE_FRAME, HEAD_BASE_HEIGHT, HEAD_FRAME
from reachy_agent_ros.core.pose import Matrix, head_transform
from reachy_agent_ros.robot.finding import Report
from reachy_agent_ros.robot.protocol import ImuSample, Measurement
from reachy_agent_ros.robot.target_validation import Target
from reachy_agent_ros.robot.urdf import robot_description
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message, transform_from_pose, vector_message, wall_stamp
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from reachy_agent_ros.vision.eye import HEAD_FROM_OPTICAL

try:
    from tf2_msgs.msg import TFMessage
except ImportError:  # the ROS wheels on PyPI do not include tf2
    TFMessage = None


def joint_state_message(header: Header, measurement: Measurement) -> JointState:
    """Returns the positions of all joints, and velocities, if known. Joints without a motor have the velocity NaN."""
    joints = list(measurement.joints)
    velocities = [measurement.joint_velocities.get(name, math.nan) for name in joints]
    return JointState(
        header=header,
        name=joints,
        position=list(measurement.joints.values()),
        velocity=velocities if measurement.joint_velocities else [],
    )


def head_pose_message(header: Header, measurement: Measurement) -> PoseStamped:
    """Returns the message for the measured head pose."""
    return PoseStamped(header=header, pose=pose_message(measurement.pose.head))


def imu_message(header: Header, sample: ImuSample) -> Imu:
    """Returns the message for a sample of the inertial measurement unit. Leaves the covariances unknown."""
    x, y, z, w = (float(value) for value in sample.orientation)
    return Imu(
        header=header,
        orientation=Quaternion(x=x, y=y, z=z, w=w),
        angular_velocity=vector_message(sample.angular_velocity),
        linear_acceleration=vector_message(sample.linear_acceleration),
    )


def scene_objects_message(header: Header, measurement: Measurement) -> SceneObjects:
    """Returns the message for the true poses of all objects in the simulation."""
    poses = [pose_message(transform) for transform in measurement.objects.values()]
    return SceneObjects(header=header, names=list(measurement.objects), poses=poses)


def report_message(header: Header, report: Report) -> MotionReport:
    """Returns the message for the safety gate's findings about a commander's targets."""
    finding = report.finding
    return MotionReport(
        header=header,
        commander=report.commander,
        verdict=int(finding.verdict),
        field=finding.field,
        requested=finding.requested,
        applied=finding.applied,
        count=report.count,
        error_code=int(finding.code),
        error_msg=finding.message,
    )


def target_of(message: MotionTarget | ExecuteMotion.Goal) -> Target:
    """Returns the target in a message that has `set_*` fields. Parts that are not set become None."""
    return Target(
        head=transform_from_pose(message.head_pose) if message.set_head else None,
        antennas=(message.antenna_right, message.antenna_left) if message.set_antennas else None,
        body_yaw=message.body_yaw if message.set_body else None,
    )


def publish_description(node: Node) -> Publisher[Any]:
    """Publishes the latched `robot_description`. Returns the publisher, which must be kept to keep the message.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the `reachy_mini` package is incomplete.
    """
    publisher = node.create_publisher(String, names.ROBOT_DESCRIPTION, LATCHED)
    publisher.publish(String(data=robot_description()))
    return publisher


class TransformPublisher:
    """Publisher of the transforms base_link -> head_base (fixed), head_base -> head, head -> camera_optical (fixed).

    Without tf2_msgs, it publishes nothing; `head_pose` and the URDF provide the same data.

    Args:
        node: Node that publishes the transforms.
    """

    def __init__(self, node: Node) -> None:
        self.available = TFMessage is not None
        if not self.available:
            return
        self._moving = node.create_publisher(TFMessage, "/tf", STANDARD)
        self._fixed = node.create_publisher(TFMessage, "/tf_static", LATCHED)
        self._fixed.publish(TFMessage(transforms=fixed_transforms()))

    def publish_head(self, header: Header, head: Matrix) -> None:
        """Publishes the pose of the head (4x4 matrix, m) in the header's frame, which must be `head_base`."""
        if self.available:
            self._moving.publish(TFMessage(transforms=[transform_message(header, HEAD_FRAME, head)]))


def fixed_transforms() -> list[TransformStamped]:
    """Returns all fixed transforms. Publish all of them in one message, because only the latest message is latched."""
    stamp = wall_stamp()
    return [
        transform_message(Header(stamp=stamp, frame_id=parent), child, transform)
        for parent, child, transform in (
            (BASE_FRAME, HEAD_BASE_FRAME, head_transform(z=HEAD_BASE_HEIGHT)),
            (HEAD_FRAME, CAMERA_FRAME, HEAD_FROM_OPTICAL),
        )
    ]


def transform_message(header: Header, child: str, transform: Matrix) -> TransformStamped:
    """Returns the message for a 4x4 transform (m) from the frame `child` to the frame of the header."""
    rotation = pose_message(transform).orientation
    moved = Transform(translation=vector_message(transform[:3, 3]), rotation=rotation)
    return TransformStamped(header=header, child_frame_id=child, transform=moved)
