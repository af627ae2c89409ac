"""Poses of all links, computed from the joint states and the transform of the head, as a URDF viewer does."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree

import numpy as np

from reachy_agent_ros.core.names import BASE_FRAME
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.robot.urdf import LinkFrames


def child_of(joint: ElementTree.Element) -> str:
    return joint.find("child").get("link")


def parent_of(joint: ElementTree.Element) -> str:
    return joint.find("parent").get("link")


def link_poses(robot: ElementTree.Element, joints: Mapping[str, float], head: Matrix) -> dict[str, Matrix]:
    """Returns the pose of every link in `base_link`, computed from the joint states and the transform of the head."""
    poses = {BASE_FRAME: np.eye(4)}
    waiting = list(LinkFrames(robot).at(joints, head))
    while waiting:
        ready = [frame for frame in waiting if frame.parent in poses]
        assert ready, "links without a parent"
        for frame in ready:
            poses[frame.child] = poses[frame.parent] @ frame.transform
        waiting = [frame for frame in waiting if frame.child not in poses]
    return poses
