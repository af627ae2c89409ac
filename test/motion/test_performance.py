import numpy as np
import pytest

from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.emotion import emotion
from reachy_agent_ros.motion.performance import Performance
from reachy_agent_ros.robot.coordinates import BODY_YAW, coordinates
from reachy_agent_ros.robot.limiter import MotionState

STARTED = MotionState(coordinates(BodyPose(head_transform(yaw=1.4, pitch=0.2), 0.3, -0.3, 1.0)), np.zeros(9))


def test_it_begins_where_the_body_is_and_goes_on_without_a_jump() -> None:
    performance = Performance(emotion("joy"), STARTED)
    values = np.array([coordinates(performance.at(time)) for time in np.arange(0.0, performance.duration, 0.001)])
    assert np.allclose(values[0], STARTED.position)
    assert np.abs(np.diff(values, axis=0)).max() < 0.02


def test_it_faces_where_the_body_faces() -> None:
    performance = Performance(emotion("agreement"), STARTED)
    assert coordinates(performance.at(performance.duration))[BODY_YAW] == pytest.approx(1.0)


def test_half_the_amplitude_is_half_the_excursion() -> None:
    start = MotionState(np.zeros(9), np.zeros(9))
    full, half = Performance(emotion("joy"), start), Performance(emotion("joy"), start, amplitude=0.5)
    for time in np.linspace(0.0, full.duration, 20):
        assert np.allclose(coordinates(half.at(time)), 0.5 * coordinates(full.at(time)))


def test_a_duration_stretches_the_move() -> None:
    start = MotionState(np.zeros(9), np.zeros(9))
    own = Performance(emotion("joy"), start)
    slow = Performance(emotion("joy"), start, duration=2.0 * emotion("joy").duration)
    assert slow.duration - own.duration == pytest.approx(emotion("joy").duration)
