"""Published URDF of the robot, and the transforms between its links.

The root is `base_link`, the head has a floating joint, and meshes have `file://` URLs.

In the original URDF, the head is at the end of one of six arms, seven joints away from the body. The other five arms
form closed loops, which a URDF cannot express. In the published URDF, the head has a floating joint instead: its pose
is measured, and the transform from `head_base` to `head` is published. Each arm moves with its joints and meets the
head at the measured pose.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import BASE_FRAME, CAMERA_FRAME, HEAD_BASE_FRAME, HEAD_BASE_HEIGHT, HEAD_FRAME
from reachy_agent_ros.core.pose import Matrix, Vector, head_transform, matrix_from_rotation_vector, rpy_from_matrix
from reachy_agent_ros.robot.description import urdf_path

FLOATING_JOINT = "neck"
"""Joint from `head_base` to `head`, which is published as a transform on /tf and not in `joint_states`."""

_HEAD_BODY = "xl_330"
_FOOT = "body_foot_3dprint"
_CUT = ("passive_7_x", "passive_7_y", "passive_7_z")
_NOTHING_TO_SEE = ("dummy_yaw",)
"""Joints that are removed with their child links: the end of the arm at the head, and a box of zero size."""


def original() -> ElementTree.Element:
    """Parses the URDF of the `reachy_mini` package. The caller may modify the result.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the package is incomplete.
    """
    return ElementTree.parse(urdf_path()).getroot()  # noqa: S314 - from an installed package, so trusted


@functools.cache
def robot_description() -> str:
    """Returns the URDF with the paths of the meshes as `file://` URLs.

    The links form a tree: base_link -> body and arms; base_link -> head_base -> head -> head parts.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the `reachy_mini` package is incomplete or has an unexpected URDF.
    """
    robot = original()
    robot.set("name", "reachy_mini")
    head, camera = (joint_origin(robot, f"{name}_frame") for name in (HEAD_FRAME, CAMERA_FRAME))
    from_head = np.asarray(np.linalg.inv(head), np.float64)
    for name in (*_CUT, *_NOTHING_TO_SEE):
        _remove(robot, name)
    for name in (f"{HEAD_FRAME}_frame", f"{CAMERA_FRAME}_frame"):
        robot.remove(_joint(robot, name))
    for name in (BASE_FRAME, HEAD_BASE_FRAME):
        ElementTree.SubElement(robot, "link", name=name)
    _connect(robot, f"{BASE_FRAME}_frame", "fixed", BASE_FRAME, _FOOT, np.eye(4))
    raised = head_transform(z=HEAD_BASE_HEIGHT)
    _connect(robot, f"{HEAD_BASE_FRAME}_frame", "fixed", BASE_FRAME, HEAD_BASE_FRAME, raised)
    _connect(robot, FLOATING_JOINT, "floating", HEAD_BASE_FRAME, HEAD_FRAME, np.eye(4))
    _connect(robot, f"{HEAD_FRAME}_frame", "fixed", HEAD_FRAME, _HEAD_BODY, from_head)
    _connect(robot, f"{CAMERA_FRAME}_frame", "fixed", HEAD_FRAME, CAMERA_FRAME, from_head @ camera)
    for mesh in robot.iter("mesh"):
        path = urdf_path().parent / mesh.get("filename", "").removeprefix("package://")
        mesh.set("filename", path.resolve().as_uri())
    return ElementTree.tostring(robot, encoding="unicode")


class LinkFrame(NamedTuple):
    """Pose of a link relative to its parent link.

    Attributes:
        parent: Name of the parent link.
        child: Name of the link.
        transform: 4x4 transform of the child in the parent, m.
    """

    parent: str
    child: str
    transform: Matrix


class LinkFrames:
    """Computes the poses of all links as `robot_state_publisher` does, but with the measured pose of the head.

    Args:
        robot: The URDF of `robot_description`.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the URDF has an unexpected structure.
    """

    def __init__(self, robot: ElementTree.Element) -> None:
        self._joints = [_Joint(robot, joint) for joint in robot.iter("joint")]

    def at(self, joints: Mapping[str, float], head: Matrix) -> Iterator[LinkFrame]:
        """Yields the pose of every link relative to its parent link.

        Args:
            joints: Joint positions by name, rad; a missing joint is at zero.
            head: 4x4 transform of `head` in `head_base`, m.
        """
        for joint in self._joints:
            placed = head if joint.name == FLOATING_JOINT else joint.placed(joints.get(joint.name, 0.0))
            yield LinkFrame(joint.parent, joint.child, placed)


def joint_origin(robot: ElementTree.Element, name: str) -> Matrix:
    """Returns the pose of a joint's child link relative to its parent link at joint angle zero, as a 4x4 matrix (m).

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the URDF has no such joint.
    """
    origin = only(_joint(robot, name), "origin")
    x, y, z = (float(number) for number in origin.get("xyz", "0 0 0").split())
    roll, pitch, yaw = (float(number) for number in origin.get("rpy", "0 0 0").split())
    return head_transform(roll, pitch, yaw, x, y, z)


def only(parent: ElementTree.Element, path: str) -> ElementTree.Element:
    """Returns the XML element at a path. Raises an error if it does not exist.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the URDF has an unexpected structure.
    """
    element = parent.find(path)
    if element is None:
        raise AgentError(
            ErrorCode.ROBOT_DISCONNECTED, f"Unsupported URDF in the installed reachy_mini package: {path} is missing."
        )
    return element


def _joint(robot: ElementTree.Element, name: str) -> ElementTree.Element:
    return only(robot, f"joint[@name='{name}']")


def _remove(robot: ElementTree.Element, name: str) -> None:
    """Removes a joint and its child link. If the child link is the body of the head, removes only the joint."""
    joint = _joint(robot, name)
    robot.remove(joint)
    child = only(joint, "child").get("link")
    if child != _HEAD_BODY:
        robot.remove(only(robot, f"link[@name='{child}']"))


def _connect(robot: ElementTree.Element, name: str, kind: str, parent: str, child: str, transform: Matrix) -> None:
    joint = ElementTree.SubElement(robot, "joint", name=name, type=kind)
    translation, rotation = transform[:3, 3], rpy_from_matrix(transform)
    ElementTree.SubElement(joint, "origin", xyz=_numbers(translation), rpy=_numbers(rotation))
    ElementTree.SubElement(joint, "parent", link=parent)
    ElementTree.SubElement(joint, "child", link=child)


def _numbers(values: Iterable[float]) -> str:
    return " ".join(f"{value:.9f}" for value in values)


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
        """Returns the pose of the child link in the parent link at a joint position (rad), as a 4x4 transform (m)."""
        if self._axis is None:
            return self._origin
        turn = np.eye(4)
        turn[:3, :3] = matrix_from_rotation_vector(position * self._axis)
        return self._origin @ turn
