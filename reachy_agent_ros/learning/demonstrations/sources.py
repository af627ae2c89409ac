"""Sources of demonstrations other than a recording: an imported bag, a program's actions, a part of another one."""

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
from reachy_agent_ros.learning.demonstrations.trajectory import Trajectory, replayed, resampled
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
    """Takes over what a demonstration holds; other topics of the bag are left out, the bag stays as it is.

    Args:
        demonstrations: Where to put it.
        path: The bag's folder or file, in MCAP or SQLite, whole or cut off.
        skill: Name of the skill.
        prompt: What is shown, in words.
        person: Who shows it.
        topics: The bag's topics by channel. Others are found by the end of their name: `/robot_2/joint_states`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: there is no such channel; `INVALID_GOAL`: it is not a bag, a topic is missing
            or of another type, there are two for a channel, or the skill has no proper name; `NO_DATA`, `NOT_FOUND`,
            `STORAGE_FAILED`.
    """
    require_named(skill, prompt)
    topics = topics or {}
    with opened(path) as bag:
        for channel in topics:
            if channel not in CHANNELS:
                there_are = ", ".join(CHANNELS)
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is no {channel!r:.80}; there are {there_are}.")
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
    """Keeps what a program shows, as if it had been recorded. The body moves straight from one posture to the next.

    Args:
        demonstrations: Where to put it.
        skill: Name of the skill.
        prompt: What is shown, in words.
        times: s, each later than the one before.
        postures: One a time.
        person: Who shows it.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the times do not rise, or all of it takes less than one step; `NOT_FINITE`;
            what `replayed` refuses, because nothing is kept that the body cannot do; `INVALID_GOAL`; `STORAGE_FAILED`.
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
    """Copies a part; the whole one stays.

    Args:
        demonstrations: Where both are.
        whole: What to take from.
        start: s from its beginning.
        end: s from its beginning.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: there is no such part; `NO_DATA`: no posture is in it; `STORAGE_FAILED`.
    """
    if not whole.ended or whole.duration is None:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "The demonstration is still being recorded.")
    if not 0.0 <= start < end:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is no part from {start:g} to {end:g} s.")
    if start >= whole.duration:
        message = f"The demonstration takes {whole.duration:.2f} s; nothing of it is after {start:g} s."
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
        message = f"The bag holds {' and '.join(sorted(found))}: say which of them is {channel}."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    if not found and (topic or channel in STATES):
        there_are = ", ".join(sorted(f"{one.topic} ({one.msgtype})" for one in bag.reader.connections)) or "nothing"
        message = f"The bag holds no {topic or channel} of {type_of(channel)}; it holds {there_are}."
        raise AgentError(ErrorCode.INVALID_GOAL, message)


def _trajectory(times: Sequence[float], postures: Sequence[BodyPose]) -> Trajectory:
    moments = np.array(times, dtype=float)
    late = np.flatnonzero(np.diff(moments) <= 0.0)
    if late.size:
        message = f"Action {late[0] + 2} is not later than the one before: {moments[late[0] + 1]:g} s."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    if len(moments) < 2 or moments[-1] - moments[0] < 1.0 / RATE:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"A demonstration takes {1.0 / RATE:g} s at least.")
    rows = [finite_coordinates(one) for one in postures]
    if any(row is None for row in rows):
        raise AgentError(ErrorCode.NOT_FINITE, "An action has a number that is not finite.")
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
    """The antennas' URDF joints count the other way round."""
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
