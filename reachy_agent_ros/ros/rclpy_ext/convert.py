"""Conversion between ROS messages and plain values: poses, times, UUIDs, and complete messages as JSON."""

from __future__ import annotations

import array
import math
import time
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from builtin_interfaces.msg import Duration, Time
from geometry_msgs.msg import Point, Pose, Quaternion, Vector3
from reachy_agent_msgs.msg import Transcript
from unique_identifier_msgs.msg import UUID

from reachy_agent_ros.core.pose import BodyPose, Matrix, matrix_from_quaternion, quaternion_from_matrix


def pose_message(transform: Matrix) -> Pose:
    """Returns the pose (position in m, unit quaternion) of a 4x4 rigid transform."""
    x, y, z, w = (float(value) for value in quaternion_from_matrix(transform))
    return Pose(position=point_message(transform[:3, 3]), orientation=Quaternion(x=x, y=y, z=z, w=w))


def transform_from_pose(pose: Pose) -> Matrix:
    """Returns the 4x4 transform of a pose. If the quaternion is not a unit quaternion, the gate rejects the result."""
    transform = np.eye(4)
    q = np.array([pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w])
    norm = np.linalg.norm(q)
    transform[:3, :3] = norm**2 * matrix_from_quaternion(q / norm if norm > 0.0 else q)
    transform[:3, 3] = (pose.position.x, pose.position.y, pose.position.z)
    return transform


def point_message(position: Iterable[float]) -> Point:
    """Converts three coordinates (m) to a point message."""
    x, y, z = (float(value) for value in position)
    return Point(x=x, y=y, z=z)


def vector_message(values: Iterable[float]) -> Vector3:
    """Converts three components (in any unit) to a vector message."""
    x, y, z = (float(value) for value in values)
    return Vector3(x=x, y=y, z=z)


def fill_posture(message: Any, pose: BodyPose) -> None:
    """Writes a posture into the fields `head_pose`, `body_yaw`, `antenna_right` and `antenna_left` of a message."""
    message.head_pose = pose_message(pose.head)
    message.body_yaw = pose.body_yaw
    message.antenna_right = pose.antenna_right
    message.antenna_left = pose.antenna_left


def posture_of(message: Any) -> BodyPose:
    """Reads the posture from the message fields that `fill_posture` writes."""
    head = transform_from_pose(message.head_pose)
    return BodyPose(head, message.antenna_right, message.antenna_left, message.body_yaw)


def duration_message(seconds: float) -> Duration:
    """Returns the duration message for a number of seconds."""
    nanoseconds = round(seconds * 1e9)
    return Duration(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)


def seconds_of(duration: Duration | Time) -> float:
    """Converts a duration or time stamp message to seconds."""
    return float(duration.sec + duration.nanosec * 1e-9)


def wall_stamp() -> Time:
    """Returns the wall-clock time, for headers only. Differences of stamps are useless, because the clock may jump."""
    nanoseconds = time.time_ns()
    return Time(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)


_FIRST_STAMP, _LAST_STAMP = -(2.0**31), 2.0**31 - 1.0
"""Range of a time stamp (the years 1901 to 2038), s since the epoch."""


def stamp_message(seconds: float) -> Time:
    """Returns the time stamp for a wall-clock time (s since the epoch).

    A file may contain a time that a stamp cannot represent; such a time is clamped.
    """
    nanoseconds = round(min(max(seconds, _FIRST_STAMP), _LAST_STAMP) * 1e9)
    return Time(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)


def speech_of(transcript: Transcript) -> tuple[float, float]:
    """Returns the start and end (s since the epoch) of an utterance. Without a stamp, both are the current time.

    `audio_duration` includes the endpoint delay.
    """
    ended = seconds_of(transcript.header.stamp)
    if not ended:
        return time.time(), time.time()
    return ended - (seconds_of(transcript.audio_duration) - seconds_of(transcript.endpoint_delay)), ended


def uuid_message(value: uuid.UUID) -> UUID:
    """Returns the message for a UUID."""
    return UUID(uuid=np.frombuffer(value.bytes, dtype=np.uint8))


def uuid_from_message(message: UUID) -> uuid.UUID:
    """Returns the UUID in a message. The UUID is all zeros if the message contains none."""
    return uuid.UUID(bytes=bytes(bytearray(message.uuid)))


def message_json(message: Any) -> Mapping[str, Any]:
    """Converts a message to a JSON object.

    Times and durations become seconds, UUIDs become strings, a header becomes its time under `stamp`, and non-finite
    numbers become null, because JSON cannot represent them.

    Args:
        message: Message of any type without raw bytes.
    """
    fields: dict[str, Any] = {}
    for name in message.get_fields_and_field_types():
        value = getattr(message, name)
        if name == "header":
            fields["stamp"] = seconds_of(value.stamp)
        else:
            fields[name] = _value(value)
    return fields


def _value(value: Any) -> Any:
    match value:
        case bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Time() | Duration():
            return seconds_of(value)
        case UUID():
            return str(uuid_from_message(value))
        case list() | tuple() | array.array() | np.ndarray():
            return [_value(each) for each in (value.tolist() if isinstance(value, np.ndarray) else value)]
    return message_json(value)
