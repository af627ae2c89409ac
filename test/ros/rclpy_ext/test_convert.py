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
def test_a_transform_comes_back_from_its_pose(transform: np.ndarray) -> None:
    np.testing.assert_allclose(transform_from_pose(pose_message(transform)), transform, atol=1e-9)


def test_a_pose_that_is_not_rigid_stays_so_for_the_gate_to_refuse() -> None:
    rotation = transform_from_pose(Pose(orientation=Quaternion(w=2.0, x=1.0)))[:3, :3]
    assert not np.allclose(rotation @ rotation.T, np.eye(3))


def test_what_is_not_a_number_stays_so_for_the_gate_to_refuse() -> None:
    assert math.isnan(transform_from_pose(Pose(position=Point(x=math.nan)))[0, 3])


@given(st.floats(-SECONDS_LIMIT, SECONDS_LIMIT))
def test_seconds_come_back_from_their_duration(seconds: float) -> None:
    message = duration_message(seconds)
    assert 0 <= message.nanosec < 10**9
    assert seconds_of(message) == pytest.approx(seconds, abs=1e-6)


def test_a_stamp_is_read_in_seconds() -> None:
    assert seconds_of(Time(sec=3, nanosec=500_000_000)) == 3.5


def test_stamps_do_not_go_back() -> None:
    first, second = wall_stamp(), wall_stamp()
    assert (first.sec, first.nanosec) <= (second.sec, second.nanosec)


@given(st.uuids())
def test_a_uuid_comes_back_from_its_message(value: uuid.UUID) -> None:
    assert uuid_from_message(uuid_message(value)) == value


def test_an_empty_uuid_message_is_none_given() -> None:
    assert uuid_from_message(UUID()).int == 0
