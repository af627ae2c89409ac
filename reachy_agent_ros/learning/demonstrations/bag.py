"""Reads the bag of a demonstration: messages, images, transcripts and the trajectory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rosbags.interfaces import Connection

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Vector, matrix_from_quaternion
from reachy_agent_ros.learning.demonstrations.bag_file import OpenBag, digest_of, opened
from reachy_agent_ros.learning.demonstrations.channels import type_of
from reachy_agent_ros.learning.demonstrations.demonstration import Quality
from reachy_agent_ros.learning.demonstrations.trajectory import Trajectory, resampled
from reachy_agent_ros.robot.coordinates import finite_coordinates

RATE = 50.0
"""Default sampling rate of a trajectory, Hz: half the rate of the bridge and twice the bandwidth of human motion."""

BODY, RIGHT, LEFT = "yaw_body", "right_antenna", "left_antenna"
"""URDF joints whose positions are body coordinates, up to the sign."""


@dataclass(frozen=True)
class BagMessage:
    """Message that was read from a bag.

    Attributes:
        moment: Unix time, s.
        content: Deserialized message with the fields of its ROS type.
    """

    moment: float
    content: Any


class Bag:
    """Bag of a demonstration. Each call opens the files and keeps no data in memory. Reads images one by one.

    Args:
        path: Folder of the bag.
        digest: Result of `digest_of` at the time of recording; empty if unknown.
    """

    def __init__(self, path: Path, digest: str = "") -> None:
        self._path = path
        self._digest = digest

    def require_unchanged(self) -> None:
        """Compares the bag with its digest. After a successful comparison, later calls do nothing.

        Raises:
            AgentError: `STORAGE_FAILED` if the bag was changed on disk or cannot be read.
        """
        if self._digest and digest_of(self._path) != self._digest:
            message = f"The bag {self._path} was changed on disk. Restore it from a backup: reachy-agent restore."
            raise AgentError(ErrorCode.STORAGE_FAILED, message)
        self._digest = ""

    def messages(self, channel: str) -> Iterator[BagMessage]:
        """Yields all messages of a channel in order. Yields no messages if the bag does not contain the channel.

        Raises:
            AgentError: `STORAGE_FAILED` if the bag was changed on disk; `NOT_FOUND` or `INVALID_GOAL` as for `opened`.
        """
        self.require_unchanged()
        with opened(self._path) as bag:
            for moment, raw in raw_messages(bag, channel):
                yield BagMessage(moment / 1e9, bag.deserialized(raw, type_of(channel)))

    def images(self) -> Iterator[tuple[float, bytes]]:
        """Yields the Unix time (s) and the compressed data of each camera image."""
        for message in self.messages(names.IMAGE):
            yield message.moment, message.content.data.tobytes()

    def transcripts(self) -> list[tuple[float, str]]:
        """Returns the Unix time (s) and the text of each final transcript that was not rejected."""
        heard = self.messages(names.TRANSCRIPT)
        return [(one.moment, one.content.text) for one in heard if one.content.is_final and not one.content.rejected]

    def trajectory(self, rate: float = RATE) -> Trajectory:
        """Returns the trajectory of the body, sampled at a constant rate.

        Args:
            rate: Sampling rate, Hz.

        Raises:
            AgentError: `NO_DATA` if too few postures were recorded; `NOT_FINITE`; `NOT_RIGID`; `INVALID_GOAL` for
                messages with missing fields or joints; the errors of `messages`.
        """
        try:
            return resampled(*self._postures(), rate)
        except AttributeError as error:  # the bag's own message definitions differ from ours
            message = f"{self._path.name} contains messages with unexpected fields: {error}"
            raise AgentError(ErrorCode.INVALID_GOAL, message) from error

    def _postures(self) -> tuple[Vector, Vector]:
        """Returns the Unix times (s) of the head poses, and the body coordinates at these times.

        Leaves out head poses before the first and after the last joint state.

        The joint positions are interpolated.
        """
        joints = [(joint.moment, *_turns(joint)) for joint in self.messages(names.JOINT_STATES)]
        heads = list(self.messages(names.HEAD_POSE))
        if not joints or not heads:
            missing = names.HEAD_POSE if joints else names.JOINT_STATES
            raise AgentError(ErrorCode.NO_DATA, f"{self._path.name} contains no {missing}.")
        table = np.array(joints)
        shared = {head.moment: head for head in heads if table[0, 0] <= head.moment <= table[-1, 0]}
        if not shared:
            raise AgentError(
                ErrorCode.NO_DATA, f"The head poses and joint states of {self._path.name} do not overlap in time."
            )
        moments = np.array(list(shared))
        turns = zip(*(np.interp(moments, table[:, 0], column) for column in table.T[1:]), strict=True)
        poses = [
            BodyPose(_transform(head), -right, -left, body)
            for head, (body, right, left) in zip(shared.values(), turns, strict=True)
        ]
        rows = [finite_coordinates(pose) for pose in poses]
        if any(row is None for row in rows):
            message = f"{self._path.name} contains a posture with coordinates that are not finite."
            raise AgentError(ErrorCode.NOT_FINITE, message)
        return moments, np.array(rows, dtype=float)


def connections(bag: OpenBag, channel: str, topic: str = "") -> list[Connection]:
    """Returns the connections of a bag that belong to a channel according to message type and topic name.

    Args:
        bag: The open bag.
        channel: The channel.
        topic: Full topic name in the bag; empty for any topic whose name ends with the channel.
    """
    return [
        connection
        for connection in bag.reader.connections
        if connection.msgtype == type_of(channel)
        and (connection.topic == topic if topic else f"/{connection.topic}".endswith(f"/{channel}"))
    ]


def raw_messages(bag: OpenBag, channel: str) -> Iterator[tuple[int, bytes]]:
    """Yields the Unix time (ns) and the serialized content of each message of a channel."""
    for _, moment, raw in bag.messages(connections(bag, channel)):
        yield moment, raw


def measured_quality(path: Path, cut: bool) -> Quality:
    """Measures the quality of a bag that was copied or whose recording was interrupted.

    Args:
        path: Folder of the bag.
        cut: Whether the end of the bag is missing.

    Raises:
        AgentError: Same as for `opened`.
    """
    with opened(path) as bag:
        samples = sum(connection.msgcount for connection in bag.reader.connections)
        moments = np.array([moment for moment, _ in raw_messages(bag, names.HEAD_POSE)], dtype=float) / 1e9
    if len(moments) < 2:
        return Quality(samples, cut=cut)
    length = float(moments[-1] - moments[0])
    rate = (len(moments) - 1) / length if length else 0.0
    return Quality(samples, rate=round(rate, 2), longest_gap=float(np.diff(moments).max()), cut=cut)


def _turns(joint: BagMessage) -> tuple[float, float, float]:
    """Returns the positions (rad) of body yaw, right antenna and left antenna, with the signs of the URDF."""
    named = dict(zip(joint.content.name, joint.content.position, strict=False))
    if not {BODY, RIGHT, LEFT} <= named.keys():
        raise AgentError(ErrorCode.INVALID_GOAL, f"The joint states lack {BODY}, {RIGHT} or {LEFT}.")
    return float(named[BODY]), float(named[RIGHT]), float(named[LEFT])


def _transform(head: BagMessage) -> Vector:
    pose = head.content.pose
    turn = pose.orientation
    transform = np.eye(4)
    quaternion = np.array([turn.x, turn.y, turn.z, turn.w])
    length = float(np.linalg.norm(quaternion))
    if not 0.9 < length < 1.1:
        message = "The bag contains a head pose with an invalid orientation: expected a unit quaternion."
        raise AgentError(ErrorCode.NOT_RIGID, message)
    transform[:3, :3] = matrix_from_quaternion(quaternion / length)
    transform[:3, 3] = (pose.position.x, pose.position.y, pose.position.z)
    return transform
