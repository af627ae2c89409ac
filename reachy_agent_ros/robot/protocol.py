"""Protocol of all robot backends. Each backend must pass the tests in `test/support/robot/conformance.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol, runtime_checkable

from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector


class MotorMode(IntEnum):
    """Motor mode of the robot. The values mirror the constants `RobotState.MOTORS_*`."""

    ENABLED = 0
    DISABLED = 1
    GRAVITY_COMPENSATION = 2


@dataclass(frozen=True)
class ImuSample:
    """Reading of the inertial measurement unit (IMU), in the axes of the sensor.

    Attributes:
        orientation: Orientation as a unit quaternion (x, y, z, w).
        angular_velocity: Angular velocity, rad/s, 3 values.
        linear_acceleration: Linear acceleration including gravity, m/s^2, 3 values.
    """

    orientation: Vector
    angular_velocity: Vector
    linear_acceleration: Vector


@dataclass(frozen=True)
class Measurement:
    """Measurement of the robot's body.

    Attributes:
        time: Time of the measurement on the clock `time.monotonic()`, s; the clock of the robot may differ.
        pose: Measured posture.
        joints: Position of every joint that the backend knows, by URDF name, rad.
            The antennas have the opposite sign of `pose`, in which they are positive towards the robot's left.
        joint_velocities: Velocities of the joints with a motor, rad/s; empty if the backend does not measure them.
        objects: True poses of the objects in the scene by name, in `base_link`; empty for a real robot.
        motor_mode: Actual motor mode.
        imu: Latest IMU reading; None if the body has no inertial measurement unit.
    """

    time: float
    pose: BodyPose
    joints: Mapping[str, float]
    joint_velocities: Mapping[str, float] = field(default_factory=dict)
    objects: Mapping[str, Matrix] = field(default_factory=dict)
    motor_mode: MotorMode = MotorMode.ENABLED
    imu: ImuSample | None = None


class Robot(Protocol):
    """Protocol of robot backends. Use a backend from one thread only.

    No call blocks for longer than a few milliseconds, except `connect` and `close` (seconds) and `set_motor_mode` (at
    most 1 s).
    Every posture passed to `command` has already passed the safety gate. A backend neither clamps nor interpolates the
    posture, and raises an error for a posture that it cannot execute.
    """

    @property
    def name(self) -> str:
        """Name of the backend: `mujoco` or `daemon`."""
        ...

    @property
    def simulated(self) -> bool:
        """Whether the robot is simulated. If so, no real motor can turn."""
        ...

    def connect(self) -> None:
        """Connects to the robot, or reconnects after the connection was lost.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`, with the part that does not respond.
        """
        ...

    def command(self, pose: BodyPose) -> None:
        """Sets the target posture. After an error, the robot keeps its last target.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`; `NOT_FINITE`; `UNREACHABLE` if inverse kinematics finds no solution;
                `MOTORS_OFF` if the motors are not enabled; `MOTION_IGNORED` if the robot reports that it ignored
                earlier targets.
        """
        ...

    def measure(self) -> Measurement:
        """Returns the latest measurement. A simulated backend first advances its physics to the present.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` if the latest measurement is older than 0.5 s.
        """
        ...

    def set_motor_mode(self, mode: MotorMode) -> None:
        """Enables or disables the motors, or sets gravity compensation. Enabled motors hold the present posture.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`, or `INVALID_GOAL` for a mode that the robot does not support.
        """
        ...

    def close(self) -> None:
        """Closes the connection. The robot keeps its pose. The method can be called more than once."""
        ...


@runtime_checkable
class Leadable(Protocol):
    """Protocol of simulated robots that a simulated hand can guide, because no real hand can."""

    def lead(self, pose: BodyPose) -> None:
        """Lets a simulated hand guide the body towards a validated posture.

        The hand guides the body for 0.5 s or until the next call.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`, or `INVALID_GOAL` while the motors are enabled.
        """
        ...
