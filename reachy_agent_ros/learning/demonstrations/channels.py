"""What a demonstration's bag holds, topic by topic, and the definitions of these messages without ROS."""

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
"""Topic of the one message, JSON, that says whose demonstration of what it is: it survives the loss of other files."""

CHANNELS: Mapping[str, str] = MappingProxyType(
    {
        names.JOINT_STATES: "sensor_msgs/msg/JointState",
        names.HEAD_POSE: "geometry_msgs/msg/PoseStamped",
        names.MOTION_TARGET: "reachy_agent_msgs/msg/MotionTarget",
        names.IMAGE: "sensor_msgs/msg/CompressedImage",
        names.TRANSCRIPT: "reachy_agent_msgs/msg/Transcript",
    }
)
"""Message type of each topic, whose name counts from the namespace: the state, the commands, what is seen and heard."""

STATES = (names.JOINT_STATES, names.HEAD_POSE)
"""Without these it is no demonstration."""

_TYPE_OF_ABOUT = "std_msgs/msg/String"


def type_of(channel: str) -> str:
    """Message type of a channel, `ABOUT` included."""
    return _TYPE_OF_ABOUT if channel == ABOUT else CHANNELS[channel]


@cache
def typestore() -> Typestore:
    """Definitions of every message that comes with ROS, and of all of ours; not to be changed.

    Raises:
        AgentError: `STORAGE_FAILED`: our messages are not installed.
    """
    store = get_typestore(Stores.ROS2_KILTED)
    for path in sorted(_folder().glob("*.msg")):
        store.register(get_types_from_msg(path.read_text(encoding="utf-8"), f"reachy_agent_msgs/msg/{path.stem}"))
    return store


def _folder() -> Path:
    """Of our messages, where the build put them: in a workspace's prefix or the environment's."""
    for prefix in (*filter(None, os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)), sys.prefix):
        folder = Path(prefix, "share", "reachy_agent_msgs", "msg")
        if folder.is_dir():
            return folder
    raise AgentError(ErrorCode.STORAGE_FAILED, "The package reachy_agent_msgs is not installed: scripts/setup")
