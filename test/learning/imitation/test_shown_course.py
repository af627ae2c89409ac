import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.demonstrations.trajectory import Trajectory
from reachy_agent_ros.learning.environments.specification import PostureChannel
from reachy_agent_ros.learning.imitation.shown_course import RATE, ShownCourse, as_channels, as_coordinates


def shown(seconds: float = 2.0, rest: float = 1.0, **columns: float) -> Trajectory:
    """Returns a trajectory with half a sine wave between two pauses.

    Args:
        seconds: Duration of the motion, s.
        rest: Duration of each rest, s.
        columns: Amplitude, rad or m, by name of the `PostureChannel`.
    """
    times = np.arange(round((seconds + 2.0 * rest) * RATE) + 1) / RATE
    swing = np.sin(math.pi * np.clip((times - rest) / seconds, 0.0, 1.0))
    values = np.zeros((len(times), 9))
    for name, size in columns.items():
        values[:, PostureChannel[name]] = size * swing
    return Trajectory(times, values)


def test_demonstrated_course_excludes_pauses_and_constant_channels() -> None:
    course = ShownCourse.of(shown(PITCH=0.2, ROLL=0.01, Z=0.008))
    assert course.channels == (PostureChannel.Z, PostureChannel.PITCH)
    assert course.duration == pytest.approx(2.0, abs=0.2)
    assert course.points[0].tolist() == [0.0, 0.0]
    assert course.points[:, 1].max() == pytest.approx(0.2, abs=0.02)
    assert course.at(99.0) == pytest.approx(tuple(course.points[-1]))


def test_demonstrated_course_scales_with_size_and_tempo() -> None:
    course = ShownCourse.of(shown(PITCH=0.2))
    smaller = course.scaled(0.5, 0.8)
    assert smaller.duration == pytest.approx(course.duration / 0.8, abs=1.0 / RATE)
    assert smaller.points[0].tolist() == [0.0]
    assert smaller.points.max() == pytest.approx(0.5 * course.points.max(), rel=0.01)
    assert course.scaled(1.0, 1.0).points == pytest.approx(course.points)


def test_head_that_keeps_its_direction_during_body_turn_adds_no_channel_to_course() -> None:
    trajectory = shown(BODY_YAW=0.4)
    trajectory.values[:, PostureChannel.YAW] = -trajectory.values[:, PostureChannel.BODY_YAW]
    assert ShownCourse.of(trajectory).channels == (PostureChannel.BODY_YAW,)


@pytest.mark.parametrize(
    ("trajectory", "code"),
    [
        (shown(), ErrorCode.NO_DATA),
        (shown(seconds=40.0, PITCH=0.2), ErrorCode.INVALID_GOAL),
        (shown(PITCH=1.5), ErrorCode.OUT_OF_ENVELOPE),
    ],
)
def test_rejects_trajectory_that_is_unusable_as_course(trajectory: Trajectory, code: ErrorCode) -> None:
    with pytest.raises(AgentError) as refused:
        ShownCourse.of(trajectory)
    assert refused.value.code is code


@given(st.lists(st.floats(-1.0, 1.0), min_size=7, max_size=7))
def test_conversion_of_coordinates_to_channels_is_invertible(numbers: list[float]) -> None:
    row: Vector = np.array(numbers)
    np.testing.assert_allclose(as_channels(as_coordinates(row)), row, atol=1e-12)
