"""Protocol of all robot backends; each must pass the tests in `test/support/robot/conformance.py`."""

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
    """One reading of the inertial measurement unit, in the axes of the sensor.

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
        time: Time of the sample by `time.monotonic()`, s; the robot's clock differs from ours.
        pose: Measured posture.
        joints: Position of every joint that the backend knows, by URDF name, rad.
            The antennas' signs differ from `pose`, which counts them positive towards the robot's left.
        joint_velocities: Velocities of the joints with a motor, rad/s; empty if the backend does not measure them.
        objects: True poses of the objects in the scene by name, in `base_link`; empty for a real robot.
        motor_mode: Actual motor mode.
        imu: Latest reading; None if the body has no inertial measurement unit.
    """

    time: float
    pose: BodyPose
    joints: Mapping[str, float]
    joint_velocities: Mapping[str, float] = field(default_factory=dict)
    objects: Mapping[str, Matrix] = field(default_factory=dict)
    motor_mode: MotorMode = MotorMode.ENABLED
    imu: ImuSample | None = None


class Robot(Protocol):
    """A robot backend. Use from one thread.

    No call blocks for longer than a few milliseconds except `connect` (seconds) and `set_motor_mode` (0.5 s at most).
    Every posture passed to `command` has passed the safety gate. A backend neither clamps nor interpolates it, and
    raises an error for a posture that it cannot take.
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
            AgentError: `ROBOT_DISCONNECTED`, with the part that does not answer.
        """
        ...

    def command(self, pose: BodyPose) -> None:
        """Sets the target posture. After an error the robot keeps its last target.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`; `NOT_FINITE`; `UNREACHABLE` if inverse kinematics finds no solution;
                `MOTORS_OFF` if the motors are not enabled; `MOTION_IGNORED` if the robot reports that it ignored
                earlier targets.
        """
        ...

    def measure(self) -> Measurement:
        """Returns the latest sample; a simulated backend first advances its physics to the present.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` when the newest sample is older than 0.5 s.
        """
        ...

    def set_motor_mode(self, mode: MotorMode) -> None:
        """Enables or disables the motors, or sets gravity compensation. Motors enabled again hold the present posture.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`, or `INVALID_GOAL` for a mode that this robot does not have.
        """
        ...

    def close(self) -> None:
        """Closes the connection; the robot keeps its pose. Safe to call twice."""
        ...


@runtime_checkable
class Leadable(Protocol):
    """A simulated body with a simulated hand, because no person's hand can lead it."""

    def lead(self, pose: BodyPose) -> None:
        """Lets a simulated hand lead the body towards a validated posture, for 0.5 s or until the next call.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`, or `INVALID_GOAL` while the motors are enabled.
        """
        ...
