"""Inverse and forward kinematics of the head: a six-armed Stewart platform on a turning body.

Inverse kinematics is in closed form, forward kinematics is found by Newton's method with continuation. Both are
computed by Pollen Robotics' `reachy_mini_rust_kinematics` from the geometry in the `reachy_mini` package, as in its
daemon. Unlike there, the body never turns by itself: its yaw is what the caller says.
"""

from __future__ import annotations

import json
import math

import numpy as np
from reachy_mini_rust_kinematics import ReachyMiniRustKinematics

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, Vector, rpy_from_matrix, wrap_angle
from reachy_agent_ros.robot.description import kinematics_path

HEAD_JOINTS = ("yaw_body", "stewart_1", "stewart_2", "stewart_3", "stewart_4", "stewart_5", "stewart_6")
"""URDF names of the joints that carry the head, in the order of every joint vector here."""

MAX_RELATIVE_YAW = math.radians(65.0)
"""Furthest yaw of the head from the body, rad; beyond it the same joints can hold the head in another pose as well."""

_LOWER = np.radians([-160.0, -48.0, -80.0, -48.0, -80.0, -70.0, -80.0])
_UPPER = np.radians([160.0, 80.0, 70.0, 80.0, 48.0, 80.0, 48.0])
"""Limits of `HEAD_JOINTS` in the URDF, rad."""

_ROUNDING = 1e-6
"""Slack, rad, so that a target clamped to a limit is not refused for the last bit of it."""

_CONTINUATION = np.minimum(np.arange(1, 65) / 48.0, 1.0)
"""How far from the neutral joints to the given ones each Newton iteration works: started straight at the given ones, it
ends in another pose of the same joints for every tenth pose of the head."""


class HeadKinematics:
    """Converts between the head's pose and its seven joints. Keeps no state between calls; use from one thread."""

    def __init__(self) -> None:
        data = json.loads(kinematics_path().read_text())
        self._height: float = data["head_z_offset"]
        self._solver = ReachyMiniRustKinematics(data["motor_arm_length"], data["rod_length"])
        for motor in data["motors"]:
            motor_from_world = np.linalg.inv(np.array(motor["T_motor_world"]))
            branch = 1 if motor["solution"] else -1
            self._solver.add_branch(motor["branch_position"], motor_from_world.tolist(), branch)

    def inverse(self, head: Matrix, body_yaw: float) -> Vector:
        """Joints that hold the head at a pose.

        Args:
            head: 4x4 rigid transform of `head` in `head_base`, m.
            body_yaw: rad.

        Returns:
            Positions of `HEAD_JOINTS`, rad.

        Raises:
            AgentError: `UNREACHABLE` where no joints within their limits hold that pose.
        """
        _require_near_body(head, body_yaw)
        joints = np.array([body_yaw, *self._solver.inverse_kinematics(self._raised(head, self._height), body_yaw)])
        if not np.all(np.isfinite(joints)):
            raise AgentError(ErrorCode.UNREACHABLE, f"the arms do not reach a head at {_described(head, body_yaw)}")
        beyond = (joints < _LOWER - _ROUNDING) | (joints > _UPPER + _ROUNDING)
        if beyond.any():
            names = ", ".join(np.array(HEAD_JOINTS)[beyond])
            message = f"a head at {_described(head, body_yaw)} needs {names} beyond their limits"
            raise AgentError(ErrorCode.UNREACHABLE, message)
        return joints

    def forward(self, joints: Vector) -> Matrix:
        """Pose of the head for given joints.

        Args:
            joints: Positions of `HEAD_JOINTS`, rad.

        Returns:
            4x4 transform of `head` in `head_base`, m: of the poses that hold for these joints, the one that the head
            comes to when it leaves the neutral pose. Exact to 0.1 mm and 0.1 mrad.
        """
        neutral_head = self._raised(np.eye(4), self._height)
        self._solver.reset_forward_kinematics(neutral_head)  # in the body's frame: its yaw plays no part
        neutral = np.array(self._solver.inverse_kinematics(neutral_head, 0.0))
        for fraction in _CONTINUATION:
            arms = (neutral + fraction * (joints[1:] - neutral)).tolist()
            head = self._solver.forward_kinematics(arms, float(joints[0]))
        return np.array(self._raised(np.array(head), -self._height))

    @staticmethod
    def _raised(head: Matrix, height: float) -> list[list[float]]:
        raised: list[list[float]] = np.asarray(head).tolist()
        raised[2][3] += height
        return raised


def _require_near_body(head: Matrix, body_yaw: float) -> None:
    relative = wrap_angle(rpy_from_matrix(head)[2] - body_yaw)
    if abs(relative) > MAX_RELATIVE_YAW + _ROUNDING:
        message = f"the head would be {math.degrees(relative):.1f} deg from the body, the neck turns 65 deg"
        raise AgentError(ErrorCode.UNREACHABLE, message)


def _described(head: Matrix, body_yaw: float) -> str:
    roll, pitch, yaw = (math.degrees(angle) for angle in rpy_from_matrix(head))
    x, y, z = head[:3, 3] * 1000.0
    angles = f"roll {roll:.1f} pitch {pitch:.1f} yaw {yaw:.1f} deg"
    return f"{angles}, x {x:.1f} y {y:.1f} z {z:.1f} mm, body {math.degrees(body_yaw):.1f} deg"
