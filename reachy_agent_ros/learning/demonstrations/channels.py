"""Channels (topics) of a demonstration's bag, and the definitions of their messages. Does not require ROS."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode

ABOUT = "demonstration"
"""Topic with one JSON message that describes the demonstration, in case the description file is lost."""

CHANNELS: Mapping[str, str] = MappingProxyType(
    {
        names.JOINT_STATES: "sensor_msgs/msg/JointState",
        names.HEAD_POSE: "geometry_msgs/msg/PoseStamped",
        names.MOTION_TARGET: "reachy_agent_msgs/msg/MotionTarget",
        names.IMAGE: "sensor_msgs/msg/CompressedImage",
        names.TRANSCRIPT: "reachy_agent_msgs/msg/Transcript",
    }
)
"""Message type of each topic, relative to the namespace: state, commands, camera images and transcripts."""

STATES = (names.JOINT_STATES, names.HEAD_POSE)
"""Required channels."""

_TYPE_OF_ABOUT = "std_msgs/msg/String"


def type_of(channel: str) -> str:
    """Returns the message type of a channel or of `ABOUT`."""
    return _TYPE_OF_ABOUT if channel == ABOUT else CHANNELS[channel]


@cache
def typestore() -> Typestore:
    """Returns the definitions of all ROS messages and of `reachy_agent_msgs`. Do not modify the cached result.

    Raises:
        AgentError: `STORAGE_FAILED` if `reachy_agent_msgs` is not installed.
    """
    store = get_typestore(Stores.ROS2_KILTED)
    for path in sorted(_folder().glob("*.msg")):
        store.register(get_types_from_msg(path.read_text(encoding="utf-8"), f"reachy_agent_msgs/msg/{path.stem}"))
    return store


def _folder() -> Path:
    """Returns the folder of the installed message definitions, from a ROS workspace or the Python environment."""
    for prefix in (*filter(None, os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)), sys.prefix):
        folder = Path(prefix, "share", "reachy_agent_msgs", "msg")
        if folder.is_dir():
            return folder
    raise AgentError(ErrorCode.STORAGE_FAILED, "The package reachy_agent_msgs is not installed. Run scripts/setup.")
