"""Creates demonstrations without a recording: from a bag, from a program, or from a part of a demonstration."""

from __future__ import annotations

import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.core.pose import BodyPose, Vector, quaternion_from_matrix
from reachy_agent_ros.learning.demonstrations.bag import BODY, LEFT, RATE, RIGHT, connections
from reachy_agent_ros.learning.demonstrations.bag_file import OpenBag, opened
from reachy_agent_ros.learning.demonstrations.bag_writer import BagWriter
from reachy_agent_ros.learning.demonstrations.channels import CHANNELS, STATES, type_of, typestore
from reachy_agent_ros.learning.demonstrations.demonstration import Demonstration, Method
from reachy_agent_ros.learning.demonstrations.index import Demonstrations, require_named
from reachy_agent_ros.learning.demonstrations.trajectory import Trajectory, replayed, require_replayable, resampled
from reachy_agent_ros.robot.coordinates import finite_coordinates, posture

ORIGIN = "a program's actions"


def import_bag(
    demonstrations: Demonstrations,
    path: Path,
    skill: str,
    prompt: str,
    person: str = "",
    topics: Mapping[str, str] | None = None,
) -> Demonstration:
    """Imports a demonstration from a bag, which is not changed.

    Args:
        demonstrations: Target collection.
        path: Folder or file of the bag, in MCAP or SQLite, complete or truncated.
        skill: Name of the skill.
        prompt: Description of the motion in words.
        person: Name of the demonstrator.
        topics: Topics of the bag by channel. A channel without an entry matches any topic that ends with its name, such
            as `/robot_2/joint_states`.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for an unknown channel; `INVALID_GOAL` if the path is not a bag, a topic is
            missing or has a wrong type, several topics match a channel, the skill name is invalid, or the prompt is too
            long; the errors of `Demonstrations.add`.
    """
    require_named(skill, prompt)
    topics = topics or {}
    with opened(path) as bag:
        for channel in topics:
            if channel not in CHANNELS:
                there_are = ", ".join(CHANNELS)
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Unknown channel {channel!r:.80}: expected {there_are}.")
        for channel in CHANNELS:
            _require_one(bag, channel, topics.get(channel, ""))
        began = bag.reader.start_time / 1e9
    about = Demonstration(str(uuid.uuid4()), skill, prompt, Method.HAND, person, None, began, origin=path.name)
    return demonstrations.add(path, about, topics=topics)


def add_given_actions(
    demonstrations: Demonstrations,
    skill: str,
    prompt: str,
    times: Sequence[float],
    postures: Sequence[BodyPose],
    person: str = "",
) -> Demonstration:
    """Adds a demonstration from a sequence of postures, with linear interpolation between them.

    Args:
        demonstrations: Target collection.
        skill: Name of the skill.
        prompt: Description of the motion in words.
        times: Times of the postures, s, ascending.
        postures: Posture at each time.
        person: Name of the demonstrator.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if the numbers of times and postures differ, or the times do not ascend or cover
            less than one step; `NOT_FINITE`; the errors of `replayed`, because only motions that the body can execute
            are stored; `INVALID_GOAL`; `STORAGE_FAILED`.
    """
    require_named(skill, prompt)
    trajectory = _trajectory(times, postures)
    replayed(trajectory, prompt)
    about = Demonstration(
        str(uuid.uuid4()), skill, prompt, Method.TELEOPERATION, person, None, time.time(), origin=ORIGIN
    )
    with tempfile.TemporaryDirectory(prefix="actions-") as scratch:
        source = Path(scratch, about.identifier)
        _write(source, trajectory, about.began)
        return demonstrations.add(source, about)


def trimmed(demonstrations: Demonstrations, whole: Demonstration, start: float, end: float) -> Demonstration:
    """Copies a time range of a demonstration to a new demonstration.

    Args:
        demonstrations: Collection of both demonstrations.
        whole: Demonstration to copy from.
        start: Start of the part, s from the beginning.
        end: End of the part, s from the beginning.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for an invalid part or a demonstration that is still being recorded; the errors
            of `Demonstrations.add`.
    """
    if not whole.ended or whole.duration is None:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "The demonstration is still being recorded.")
    if not 0.0 <= start < end:
        raise AgentError(
            ErrorCode.INVALID_ARGUMENTS, f"Invalid part {start:g} to {end:g} s: expected 0 <= start < end."
        )
    if start >= whole.duration:
        message = f"Invalid start {start:g} s: the demonstration ends at {whole.duration:.2f} s."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    demonstrations.bag(whole).require_unchanged()
    about = replace(
        whole,
        identifier=str(uuid.uuid4()),
        began=whole.began + start,
        duration=None,
        quality=None,
        digest="",
        origin=f"{whole.identifier} from {start:g} to {min(end, whole.duration):g} s",
    )
    return demonstrations.add(demonstrations.path(whole), about, (start, end))


def _require_one(bag: OpenBag, channel: str, topic: str) -> None:
    found = {connection.topic for connection in connections(bag, channel, topic)}
    if len(found) > 1:
        message = f"Several topics match {channel}: {' and '.join(sorted(found))}. Specify one of them."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    if not found and (topic or channel in STATES):
        there_are = ", ".join(sorted(f"{one.topic} ({one.msgtype})" for one in bag.reader.connections)) or "nothing"
        message = f"The bag contains no {topic or channel} of type {type_of(channel)}; it contains {there_are}."
        raise AgentError(ErrorCode.INVALID_GOAL, message)


def _trajectory(times: Sequence[float], postures: Sequence[BodyPose]) -> Trajectory:
    if len(times) != len(postures):
        message = f"Invalid number of postures {len(postures)}: expected one for each of the {len(times)} times."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    moments = np.array(times, dtype=float)
    if not np.isfinite(moments).all():
        raise AgentError(ErrorCode.NOT_FINITE, "Invalid time of an action: expected a finite number of seconds.")
    late = np.flatnonzero(np.diff(moments) <= 0.0)
    if late.size:
        message = f"Invalid time of action {late[0] + 2}: {moments[late[0] + 1]:g} s is not later than the one before."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    if len(moments) < 2 or moments[-1] - moments[0] < 1.0 / RATE:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Demonstration too short: expected at least {1.0 / RATE:g} s.")
    require_replayable(moments[-1] - moments[0])
    rows = [finite_coordinates(one) for one in postures]
    if any(row is None for row in rows):
        raise AgentError(ErrorCode.NOT_FINITE, "Invalid action: a coordinate is not finite.")
    return resampled(moments, np.array(rows, dtype=float), RATE)


def _write(folder: Path, trajectory: Trajectory, began: float) -> None:
    bag = BagWriter(folder, NAMESPACE)
    for moment, row in zip(trajectory.times.tolist(), trajectory.values, strict=True):
        stamp = int((began + moment) * 1e9)
        pose = posture(row)
        bag.write(names.JOINT_STATES, stamp, _joints(stamp, pose))
        bag.write(names.HEAD_POSE, stamp, _head(stamp, pose.head))
    bag.close()


def _joints(stamp: int, pose: BodyPose) -> bytes:
    """Serializes a joint state message. The antenna joints of the URDF have the opposite sign."""
    turns = np.array([pose.body_yaw, -pose.antenna_right, -pose.antenna_left])
    message = typestore().types[type_of(names.JOINT_STATES)](
        header=_header(stamp, ""),
        name=[BODY, RIGHT, LEFT],
        position=turns,
        velocity=np.zeros(0),
        effort=np.zeros(0),
    )
    return bytes(typestore().serialize_cdr(message, type_of(names.JOINT_STATES)))


def _head(stamp: int, transform: Vector) -> bytes:
    types = typestore().types
    x, y, z, w = quaternion_from_matrix(transform[:3, :3]).tolist()
    across, aside, up = transform[:3, 3].tolist()
    pose = types["geometry_msgs/msg/Pose"](
        position=types["geometry_msgs/msg/Point"](x=across, y=aside, z=up),
        orientation=types["geometry_msgs/msg/Quaternion"](x=x, y=y, z=z, w=w),
    )
    message = types[type_of(names.HEAD_POSE)](header=_header(stamp, names.HEAD_BASE_FRAME), pose=pose)
    return bytes(typestore().serialize_cdr(message, type_of(names.HEAD_POSE)))


def _header(stamp: int, frame: str) -> Any:
    types = typestore().types
    time_type = types["builtin_interfaces/msg/Time"]
    moment = time_type(sec=stamp // 10**9, nanosec=stamp % 10**9)
    return types["std_msgs/msg/Header"](stamp=moment, frame_id=frame)
