"""What a viewer of the URDF sees: every link's pose, from joint states and the head's transform."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree

import numpy as np

from reachy_agent_ros.core.names import BASE_FRAME
from reachy_agent_ros.core.pose import Matrix, matrix_from_rotation_vector
from reachy_agent_ros.robot.urdf import FLOATING_JOINT, joint_origin


def child_of(joint: ElementTree.Element) -> str:
    return joint.find("child").get("link")


def parent_of(joint: ElementTree.Element) -> str:
    return joint.find("parent").get("link")


def _placed(robot: ElementTree.Element, joint: ElementTree.Element, position: float) -> Matrix:
    """Where a joint puts its child in its parent."""
    turn = np.eye(4)
    if joint.get("type") == "revolute":
        axis = np.array([float(number) for number in joint.find("axis").get("xyz").split()])
        turn[:3, :3] = matrix_from_rotation_vector(position * axis)
    return joint_origin(robot, joint.get("name")) @ turn


def link_poses(robot: ElementTree.Element, joints: Mapping[str, float], head: Matrix) -> dict[str, Matrix]:
    """Where viewers put every link, in `base_link`: joint states and the head's transform are all they have."""
    poses = {BASE_FRAME: np.eye(4)}
    waiting = list(robot.iter("joint"))
    while waiting:
        ready = [joint for joint in waiting if parent_of(joint) in poses]
        assert ready, "links that hang on nothing"
        for joint in ready:
            local = (
                head
                if joint.get("name") == FLOATING_JOINT
                else _placed(robot, joint, joints.get(joint.get("name"), 0.0))
            )
            poses[child_of(joint)] = poses[parent_of(joint)] @ local
        waiting = [joint for joint in waiting if joint not in ready]
    return poses
