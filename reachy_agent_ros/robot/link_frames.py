"""Where every link of the robot is, for who draws its URDF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector, matrix_from_rotation_vector
from reachy_agent_ros.robot.urdf import FLOATING_JOINT, joint_origin, only


class LinkFrame(NamedTuple):
    """One link in the link that holds it.

    Attributes:
        parent: Link that holds it.
        child: The link.
        transform: 4x4 transform of the child in the parent, m.
    """

    parent: str
    child: str
    transform: Matrix


class LinkFrames:
    """Places links as `robot_state_publisher` does, and the head as it was measured.

    Args:
        robot: The URDF of `robot.urdf.robot_description`.

    Raises:
        AgentError: `ROBOT_DISCONNECTED`: another URDF than the one this was written for.
    """

    def __init__(self, robot: ElementTree.Element) -> None:
        self._joints = [_Joint(robot, joint) for joint in robot.iter("joint")]

    def at(self, joints: Mapping[str, float], head: Matrix) -> Iterator[LinkFrame]:
        """Every link.

        Args:
            joints: Positions by name, rad; what is missing is at zero.
            head: 4x4 transform of `head` in `head_base`, m.
        """
        for joint in self._joints:
            placed = head if joint.name == FLOATING_JOINT else joint.placed(joints.get(joint.name, 0.0))
            yield LinkFrame(joint.parent, joint.child, placed)


class _Joint:
    def __init__(self, robot: ElementTree.Element, joint: ElementTree.Element) -> None:
        self.name = joint.get("name", "")
        self.parent = only(joint, "parent").get("link", "")
        self.child = only(joint, "child").get("link", "")
        self._origin = joint_origin(robot, self.name)
        self._axis: Vector | None = None
        if joint.get("type") == "revolute":
            self._axis = np.array([float(number) for number in only(joint, "axis").get("xyz", "").split()])

    def placed(self, position: float) -> Matrix:
        """4x4 transform of the child in the parent, m, at a position, rad."""
        if self._axis is None:
            return self._origin
        turn = np.eye(4)
        turn[:3, :3] = matrix_from_rotation_vector(position * self._axis)
        return self._origin @ turn
