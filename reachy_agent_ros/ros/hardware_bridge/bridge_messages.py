"""What the hardware bridge publishes, from the plain values of the motion loop."""

from __future__ import annotations

import math

from geometry_msgs.msg import PoseStamped, Quaternion, Vector3
from reachy_agent_msgs.action import ExecuteMotion
from reachy_agent_msgs.msg import MotionReport, MotionTarget, RobotState, SceneObjects
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Header

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.robot.admission import Target
from reachy_agent_ros.robot.finding import Report
from reachy_agent_ros.robot.protocol import ImuSample, Measurement
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message, transform_from_pose


def joint_state_message(header: Header, measurement: Measurement) -> JointState:
    """Positions of all joints; velocities too if there are any, NaN for the joints without a motor."""
    names = list(measurement.joints)
    velocities = [measurement.joint_velocities.get(name, math.nan) for name in names]
    return JointState(
        header=header,
        name=names,
        position=list(measurement.joints.values()),
        velocity=velocities if measurement.joint_velocities else [],
    )


def head_pose_message(header: Header, measurement: Measurement) -> PoseStamped:
    """Measured pose of the head."""
    return PoseStamped(header=header, pose=pose_message(measurement.pose.head))


def imu_message(header: Header, sample: ImuSample) -> Imu:
    """Reading of the inertial unit; its covariances are unknown."""
    x, y, z, w = (float(value) for value in sample.orientation)
    return Imu(
        header=header,
        orientation=Quaternion(x=x, y=y, z=z, w=w),
        angular_velocity=_vector(*sample.angular_velocity),
        linear_acceleration=_vector(*sample.linear_acceleration),
    )


def scene_objects_message(header: Header, measurement: Measurement) -> SceneObjects:
    """True poses of what stands around the simulated robot."""
    poses = [pose_message(transform) for transform in measurement.objects.values()]
    return SceneObjects(header=header, names=list(measurement.objects), poses=poses)


def report_message(header: Header, report: Report) -> MotionReport:
    """What the gate found in somebody's targets."""
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


def fill_measured(message: RobotState | ExecuteMotion.Result, pose: BodyPose) -> None:
    """Writes a measured posture into any message that has the four fields for it."""
    message.head_pose = pose_message(pose.head)
    message.body_yaw = pose.body_yaw
    message.antenna_right = pose.antenna_right
    message.antenna_left = pose.antenna_left


def target_of(message: MotionTarget | ExecuteMotion.Goal) -> Target:
    """What a message with `set_*` fields wants set."""
    return Target(
        head=transform_from_pose(message.head_pose) if message.set_head else None,
        antennas=(message.antenna_right, message.antenna_left) if message.set_antennas else None,
        body_yaw=message.body_yaw if message.set_body else None,
    )


def _vector(x: float, y: float, z: float) -> Vector3:
    return Vector3(x=float(x), y=float(y), z=float(z))
