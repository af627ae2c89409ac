"""Target for ROS bags in MCAP format."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.file_target import FileTarget
from fuzz.mutation.byte_mutation import mutated_bytes
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.bag import Bag
from reachy_agent_ros.learning.demonstrations.bag_writer import BagWriter, rewritten
from reachy_agent_ros.learning.demonstrations.channels import type_of, typestore

_BEGAN = 1_700_000_000 * 10**9
_POSTURES = 12


def bags() -> FileTarget:
    """Returns a target that reads a ROS bag as a demonstration, and copies it as an import does."""
    return FileTarget("bag.mcap", [_bag()], mutated_bytes, _read)


def _read(path: Path) -> None:
    """Reads the trajectory of a ROS bag and copies the bag. Both must succeed or raise an `AgentError`."""
    try:
        trajectory = Bag(path).trajectory()
        assert np.isfinite(trajectory.values).all()
    except AgentError as error:
        if error.code is ErrorCode.NO_DATA:
            raise
    rewritten(path, path.with_name("copy"))


def _bag() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        writer = BagWriter(Path(folder, "bag"), "/reachy_mini")
        for number in range(_POSTURES):
            moment = _BEGAN + number * 20_000_000
            writer.write(names.JOINT_STATES, moment, _joints(0.1 * number))
            writer.write(names.HEAD_POSE, moment + 1, _pose())
            if number == _POSTURES // 2:
                writer.sync()
        writer.close()
        return next(Path(folder, "bag").glob("*.mcap")).read_bytes()


def _joints(angle: float) -> bytes:
    position = np.array([angle, angle, -angle])
    none = np.zeros(0)
    joints = ["yaw_body", "right_antenna", "left_antenna"]
    return _message(names.JOINT_STATES, header=_header(), name=joints, position=position, velocity=none, effort=none)


def _pose() -> bytes:
    types = typestore().types
    pose = types["geometry_msgs/msg/Pose"](
        position=types["geometry_msgs/msg/Point"](0.0, 0.0, 0.0),
        orientation=types["geometry_msgs/msg/Quaternion"](0.0, 0.0, 0.0, 1.0),
    )
    return _message(names.HEAD_POSE, header=_header(), pose=pose)


def _header() -> object:
    types = typestore().types
    return types["std_msgs/msg/Header"](stamp=types["builtin_interfaces/msg/Time"](sec=0, nanosec=0), frame_id="")


def _message(channel: str, **fields: Any) -> bytes:
    kind = typestore().types[type_of(channel)]
    return bytes(typestore().serialize_cdr(kind(**fields), type_of(channel)))
