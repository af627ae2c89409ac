"""Angles of the ball joints at the six rods of the head. The real robot does not measure these angles."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from reachy_agent_ros.core.names import HEAD_BASE_HEIGHT
from reachy_agent_ros.core.pose import Matrix, head_transform
from reachy_agent_ros.robot.urdf import joint_origin, original

NUMBERS = range(1, 7)
ARMS = tuple(f"stewart_{number}" for number in NUMBERS)


class Rods:
    """Computes the angles of the ball joints between arms and rods from measurements of the head and the arms.

    Both ends of each rod are known, so only the rotation about its axis is undetermined; it is assumed to be zero.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the `reachy_mini` package is incomplete or has an unexpected URDF.
    """

    def __init__(self) -> None:
        robot = original()
        self._body = joint_origin(robot, "yaw_body")
        self._arms = np.stack([joint_origin(robot, name) for name in ARMS])
        self._balls = np.stack([joint_origin(robot, f"passive_{number}_x") for number in NUMBERS])
        tips = [*(f"closing_{number}_1_frame" for number in NUMBERS[:-1]), "passive_7_x"]
        self._tips = _directions(np.stack([joint_origin(robot, name)[:3, 3] for name in tips]))
        sockets = [*(joint_origin(robot, f"closing_{number}_2_frame") for number in NUMBERS[:-1]), np.eye(4)]
        self._sockets = np.stack(sockets)[:, :, 3] @ np.linalg.inv(joint_origin(robot, "head_frame")).T

    def joints(self, head: Matrix, joints: Mapping[str, float]) -> dict[str, float]:
        """Returns the angles (rad) of the joints `passive_1_x` to `passive_6_z`.

        Args:
            head: 4x4 transform of `head` in `head_base`, m.
            joints: Measured positions of `yaw_body` and `stewart_1` to `stewart_6`, rad.
        """
        arms = np.stack([head_transform(yaw=joints[name]) for name in ARMS])
        balls = self._body @ head_transform(yaw=joints["yaw_body"]) @ self._arms @ arms @ self._balls
        sockets = self._sockets @ (head_transform(z=HEAD_BASE_HEIGHT) @ head).T
        rods = _directions(np.einsum("nji,nj->ni", balls[:, :3, :3], sockets[:, :3] - balls[:, :3, 3]))
        hinges = _hinge_angles(_shortest_turns(self._tips, rods))
        names = (f"passive_{number}_{axis}" for number in NUMBERS for axis in "xyz")
        return dict(zip(names, hinges.ravel().tolist(), strict=True))


def _directions(vectors: Matrix) -> Matrix:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def _shortest_turns(starts: Matrix, ends: Matrix) -> Matrix:
    """Returns the rotations [n, 3, 3] that turn the vectors `starts` [n, 3] into the vectors `ends` [n, 3].

    All vectors are unit vectors. The axis of each rotation is the common normal (Rodrigues).
    """
    across = np.cross(starts, ends)
    skew = np.cross(across[:, None], np.eye(3)).swapaxes(1, 2)
    cosine = np.sum(starts * ends, axis=1)[:, None, None]
    return np.asarray(np.eye(3) + skew + skew @ skew / np.maximum(1.0 + cosine, 1e-9))


def _hinge_angles(turns: Matrix) -> Matrix:
    """Returns the angles [n, 3] (rad) of hinges about x, then y, then z that produce the rotations [n, 3, 3]."""
    about_x = np.arctan2(-turns[:, 1, 2], turns[:, 2, 2])
    about_y = np.arcsin(np.clip(turns[:, 0, 2], -1.0, 1.0))
    return np.stack([about_x, about_y, np.arctan2(-turns[:, 0, 1], turns[:, 0, 0])], axis=1)
