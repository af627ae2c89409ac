"""What every robot backend can do; `test/support/robot/conformance.py` is the suite each of them must pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol, runtime_checkable

from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector


class MotorMode(IntEnum):
    """Mirror of `RobotState.MOTORS_*`."""

    ENABLED = 0
    DISABLED = 1
    GRAVITY_COMPENSATION = 2


@dataclass(frozen=True)
class ImuSample:
    """One reading of the inertial unit, in the sensor's own axes.

    Attributes:
        orientation: Unit quaternion (x, y, z, w).
        angular_velocity: rad/s, 3 values.
        linear_acceleration: m/s^2 including gravity, 3 values.
    """

    orientation: Vector
    angular_velocity: Vector
    linear_acceleration: Vector


@dataclass(frozen=True)
class Measurement:
    """One sample of the body.

    Attributes:
        time: `time.monotonic()` when it was taken, s: the robot's own clock is not ours.
        pose: Measured posture.
        joints: Position of every joint the backend knows, by its URDF name, rad.
            The antennas' signs differ from `pose`, which counts them positive towards the robot's left.
        joint_velocities: Velocities of the joints that have a motor, rad/s; empty where the backend cannot tell.
        objects: True poses of the scene's objects by name, `base_link`; empty for a real robot.
        motor_mode: What the motors really do.
        imu: Newest reading where the body has an inertial unit.
    """

    time: float
    pose: BodyPose
    joints: Mapping[str, float]
    joint_velocities: Mapping[str, float] = field(default_factory=dict)
    objects: Mapping[str, Matrix] = field(default_factory=dict)
    motor_mode: MotorMode = MotorMode.ENABLED
    imu: ImuSample | None = None


class Robot(Protocol):
    """A body, called by one thread.

    No call blocks for longer than a few milliseconds except `connect` (seconds) and `set_motor_mode` (0.5 s at most).
    Everything that reaches `command` has passed the safety gate. A backend adds no behaviour of its own: it neither
    clamps nor interpolates, and what it cannot do it raises.
    """

    @property
    def name(self) -> str:
        """Kind of backend: `mujoco` or `daemon`."""
        ...

    @property
    def simulated(self) -> bool:
        """Whether no motor can turn."""
        ...

    def connect(self) -> None:
        """Connects, or connects again after a loss.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`, saying what does not answer.
        """
        ...

    def command(self, pose: BodyPose) -> None:
        """Sets the posture to go to now.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`; `NOT_FINITE`, or `UNREACHABLE` where inverse kinematics finds no solution,
                the robot then keeps its last target; `MOTORS_OFF` where they are not enabled; `MOTION_IGNORED` where
                the robot says that it did not listen to the targets before this one.
        """
        ...

    def measure(self) -> Measurement:
        """The latest sample; a simulated backend first advances its physics to the present.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` when the newest sample is older than 0.5 s.
        """
        ...

    def set_motor_mode(self, mode: MotorMode) -> None:
        """Powers, frees or floats the motors. Powered again, they hold the posture found.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`, or `INVALID_GOAL` for a mode this body does not have.
        """
        ...

    def close(self) -> None:
        """Lets go of the robot, which keeps its pose. Safe to call twice."""
        ...


@runtime_checkable
class Leadable(Protocol):
    """A body that no person's hand can lead, because it is simulated."""

    def lead(self, pose: BodyPose) -> None:
        """Has a hand lead it towards an admitted posture, for half a second or until the next call.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`, or `INVALID_GOAL` while the motors are enabled.
        """
        ...
