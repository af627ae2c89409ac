import math
import uuid

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Pose, Quaternion
from hypothesis import given
from hypothesis import strategies as st
from unique_identifier_msgs.msg import UUID

from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.ros.rclpy_ext.convert import (
    duration_message,
    pose_message,
    seconds_of,
    transform_from_pose,
    uuid_from_message,
    uuid_message,
    wall_stamp,
)

angles = st.floats(-1.5, 1.5)
lengths = st.floats(-0.1, 0.1)
SECONDS_LIMIT = 2.0**31 - 1


@given(st.builds(head_transform, angles, angles, angles, lengths, lengths, lengths))
def test_pose_is_unchanged_by_conversion_to_message(transform: np.ndarray) -> None:
    np.testing.assert_allclose(transform_from_pose(pose_message(transform)), transform, atol=1e-9)


def test_conversion_does_not_correct_invalid_rotation_in_pose() -> None:
    rotation = transform_from_pose(Pose(orientation=Quaternion(w=2.0, x=1.0)))[:3, :3]
    assert not np.allclose(rotation @ rotation.T, np.eye(3))


def test_conversion_preserves_nan_in_pose() -> None:
    assert math.isnan(transform_from_pose(Pose(position=Point(x=math.nan)))[0, 3])


@given(st.floats(-SECONDS_LIMIT, SECONDS_LIMIT))
def test_duration_is_unchanged_by_conversion_to_message(seconds: float) -> None:
    message = duration_message(seconds)
    assert 0 <= message.nanosec < 10**9
    assert seconds_of(message) == pytest.approx(seconds, abs=1e-6)


def test_converts_stamp_to_seconds() -> None:
    assert seconds_of(Time(sec=3, nanosec=500_000_000)) == 3.5


def test_wall_clock_stamps_are_monotonic() -> None:
    first, second = wall_stamp(), wall_stamp()
    assert (first.sec, first.nanosec) <= (second.sec, second.nanosec)


@given(st.uuids())
def test_uuid_is_unchanged_by_conversion_to_message(value: uuid.UUID) -> None:
    assert uuid_from_message(uuid_message(value)) == value


def test_empty_uuid_message_is_converted_to_zero() -> None:
    assert uuid_from_message(UUID()).int == 0
