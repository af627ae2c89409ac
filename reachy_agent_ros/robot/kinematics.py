"""Inverse and forward kinematics of the body: a head on six arms (a Stewart platform), a torso and two antennas.

Inverse kinematics has a closed-form solution; forward kinematics uses Newton's method with continuation. Both are
computed by `reachy_mini_rust_kinematics` by Pollen Robotics from the geometry in the `reachy_mini` package, as in the
daemon. Unlike in the daemon, the body never turns automatically: the caller sets its yaw.
"""

from __future__ import annotations

import math
from operator import gt, lt

import numpy as np
from reachy_mini_rust_kinematics import ReachyMiniRustKinematics

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector, orthonormal, rpy_from_matrix, wrap_angle
from reachy_agent_ros.robot.description import platform_geometry

JOINTS = (
    "yaw_body",
    *("stewart_1", "stewart_2", "stewart_3", "stewart_4", "stewart_5", "stewart_6"),
    *("right_antenna", "left_antenna"),
)
"""URDF names of the joints with a motor, in the order of all joint vectors in this module."""

MAX_RELATIVE_YAW = math.radians(65.0)
"""Maximum yaw of the head relative to the body, rad. Beyond it, the same joints also allow another pose of the head."""

LOWER_LIMITS = np.radians([-160.0, -48.0, -80.0, -48.0, -80.0, -70.0, -80.0])
UPPER_LIMITS = np.radians([160.0, 80.0, 70.0, 80.0, 48.0, 80.0, 48.0])
"""Limits of the first seven joints in the URDF, rad. Those of the antennas, half a turn, are not checked here."""

ROUNDING = 1e-6
"""Tolerance, rad, so that a target clamped to a limit is not rejected because of rounding."""

_LOWER, _UPPER = (LOWER_LIMITS - ROUNDING).tolist(), (UPPER_LIMITS + ROUNDING).tolist()

_CONTINUATION = np.minimum(np.arange(1, 65) / 48.0, 1.0)
"""Fractions of the way from the neutral joint positions to the given ones, one for each Newton iteration. If the
iteration started directly at the given positions, one in ten head poses would converge to another pose of the same
joints."""


class BodyKinematics:
    """Converts between a posture and joint positions, without state between calls. Use from one thread.

    The antennas differ in sign: in the URDF, they turn about axes that point forward; in a `BodyPose`, they are
    positive towards the robot's left, as on the robot.
    """

    def __init__(self) -> None:
        geometry = platform_geometry()
        self._height: float = geometry["head_z_offset"]
        self._solver = ReachyMiniRustKinematics(geometry["motor_arm_length"], geometry["rod_length"])
        for motor in geometry["motors"]:
            world_in_motor = np.linalg.inv(np.array(motor["T_motor_world"])).tolist()
            self._solver.add_branch(motor["branch_position"], world_in_motor, 1 if motor["solution"] else -1)
        self._neutral_head = self._raised(np.eye(4), self._height)
        self._neutral_arms = np.array(self._solver.inverse_kinematics(self._neutral_head, 0.0))

    def inverse(self, pose: BodyPose, inset: float = 0.0) -> Vector:
        """Computes the joint positions that hold a posture.

        Args:
            pose: Posture.
            inset: Minimum distance of the arms from their limits, rad.

        Returns:
            Positions of `JOINTS`, rad.

        Raises:
            AgentError: `NOT_FINITE`; `UNREACHABLE` if no joint positions within the limits hold the posture, or if the
                head is turned from the body by more than `MAX_RELATIVE_YAW`.
        """
        _require_finite(pose)
        _require_near_body(pose)
        arms = self._solver.inverse_kinematics(self._raised(pose.head, self._height), pose.body_yaw)
        joints = [pose.body_yaw, *arms]
        if not all(map(math.isfinite, joints)):
            raise AgentError(ErrorCode.UNREACHABLE, f"The arms do not reach a head at {_described(pose)}.")
        if not _within_limits(joints, inset):
            bounds = zip(JOINTS, joints, _LOWER, _UPPER, strict=False)
            names = ", ".join(name for name, joint, low, high in bounds if not low + inset <= joint <= high - inset)
            message = f"A head at {_described(pose)} requires joint positions beyond the limits: {names}."
            raise AgentError(ErrorCode.UNREACHABLE, message)
        return np.array([*joints, -pose.antenna_right, -pose.antenna_left])

    def reaches(self, pose: BodyPose, inset: float = 0.0) -> bool:
        """Returns whether joint positions within the limits can hold a posture. `inset` is the same as in `inverse`."""
        try:
            self.inverse(pose, inset)
        except AgentError:
            return False
        return True

    def forward(self, joints: Vector) -> BodyPose:
        """Computes the posture for given joint positions.

        Args:
            joints: Positions of `JOINTS`, rad.

        Returns:
            The posture, with an accuracy of 0.1 mm and 0.1 mrad. If the joints allow several postures, it is the one
            that the head reaches from the neutral pose.
        """
        body_yaw, *arms, right, left = (float(joint) for joint in joints)
        self._solver.reset_forward_kinematics(self._neutral_head)  # in the frame of the body, so independent of its yaw
        for fraction in _CONTINUATION:
            between = self._neutral_arms + fraction * (np.array(arms) - self._neutral_arms)
            raised = self._solver.forward_kinematics(between.tolist(), body_yaw)
        head = orthonormal(np.array(self._raised(np.array(raised), -self._height)))
        return BodyPose(head, -right, -left, body_yaw)

    @staticmethod
    def _raised(head: Matrix, height: float) -> list[list[float]]:
        raised: list[list[float]] = np.asarray(head).tolist()
        raised[2][3] += height
        return raised


def _within_limits(joints: list[float], inset: float) -> bool:
    """Returns whether the arms are at least `inset` from their limits and the body yaw is within its limits."""
    if any(map(lt, joints, _LOWER)) or any(map(gt, joints, _UPPER)):
        return False
    return not inset or all(low + inset <= arm <= high - inset for low, arm, high in _bounds_of_arms(joints))


def _bounds_of_arms(joints: list[float]) -> zip[tuple[float, float, float]]:
    return zip(_LOWER[1:], joints[1:], _UPPER[1:], strict=True)


def _require_finite(pose: BodyPose) -> None:
    numbers = (*np.asarray(pose.head).ravel().tolist(), pose.antenna_right, pose.antenna_left, pose.body_yaw)
    if not all(map(math.isfinite, numbers)):
        raise AgentError(ErrorCode.NOT_FINITE, "The posture contains a number that is not finite.")


def _require_near_body(pose: BodyPose) -> None:
    relative = wrap_angle(rpy_from_matrix(pose.head)[2] - pose.body_yaw)
    if abs(relative) > MAX_RELATIVE_YAW + ROUNDING:
        message = f"The head would be turned {math.degrees(relative):.1f} deg from the body: the limit is 65 deg."
        raise AgentError(ErrorCode.UNREACHABLE, message)


def _described(pose: BodyPose) -> str:
    roll, pitch, yaw = (math.degrees(angle) for angle in rpy_from_matrix(pose.head))
    x, y, z = pose.head[:3, 3] * 1000.0
    angles = f"roll {roll:.1f} pitch {pitch:.1f} yaw {yaw:.1f} deg"
    return f"{angles}, x {x:.1f} y {y:.1f} z {z:.1f} mm, body {math.degrees(pose.body_yaw):.1f} deg"
