"""A topic whose messages are events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sensor_msgs.msg import JointState

from reachy_agent_ros.ros.client.message_json import message_json
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of


@dataclass(frozen=True)
class Source:
    """A topic whose messages are events.

    Attributes:
        kind: Of the events.
        type: Of the messages.
        topic: Relative to the namespace.
        latched: Whether they tell a present state.
        stream: Whether it is subscribed only while somebody wants it.
        period: s between two events at least; a message that comes sooner is left out.
        data: JSON values of a message.
    """

    kind: str
    type: type
    topic: str
    latched: bool = False
    stream: bool = False
    period: float = 0.0
    data: Callable[[Any], Mapping[str, Any]] = message_json


def joint_positions(message: JointState) -> Mapping[str, Any]:
    """Positions of all joints of the URDF, rad by name, with the time of the measurement."""
    joints = dict(zip(message.name, (round(angle, 5) for angle in message.position), strict=True))
    return {"stamp": seconds_of(message.header.stamp), "joints": joints}
