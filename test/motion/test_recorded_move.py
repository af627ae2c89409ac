import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.emotion import emotion
from reachy_agent_ros.motion.recorded_move import MovePlayback, RecordedMove
from reachy_agent_ros.robot.coordinates import BODY_YAW, coordinates
from reachy_agent_ros.robot.limiter import MotionState


def pitching(times: list[float], pitches: list[float]) -> RecordedMove:
    values = np.zeros((len(pitches), 9))
    values[:, 4] = pitches
    return RecordedMove("test", np.array(times), values)


@pytest.mark.slow
@given(st.lists(st.floats(-0.6, 0.6), min_size=2, max_size=8))
def test_recorded_move_passes_through_keyframes_without_overshoot(pitches: list[float]) -> None:
    times = [float(index) for index in range(len(pitches))]
    move = pitching(times, pitches)
    for time, pitch in zip(times, pitches, strict=True):
        assert coordinates(move.at(time))[4] == pytest.approx(pitch, abs=1e-9)
    for index in range(len(pitches) - 1):
        between = [coordinates(move.at(index + phase))[4] for phase in np.linspace(0.0, 1.0, 9)]
        assert min(pitches[index : index + 2]) - 1e-9 <= min(between)
        assert max(between) <= max(pitches[index : index + 2]) + 1e-9


def test_recorded_move_starts_and_ends_at_rest() -> None:
    move = pitching([0.0, 1.0, 2.0], [0.0, 0.3, 0.6])
    assert coordinates(move.at(1e-4))[4] == pytest.approx(0.0, abs=1e-6)
    assert np.allclose(coordinates(move.at(99.0)), coordinates(move.at(2.0)))
    assert np.allclose(coordinates(move.at(-1.0)), coordinates(move.at(0.0)))


STARTED = MotionState(coordinates(BodyPose(head_transform(yaw=1.4, pitch=0.2), 0.3, -0.3, 1.0)), np.zeros(9))


def test_playback_of_recorded_move_begins_without_jump() -> None:
    performance = MovePlayback(emotion("joy"), STARTED)
    values = np.array([coordinates(performance.at(time)) for time in np.arange(0.0, performance.duration, 0.001)])
    assert np.allclose(values[0], STARTED.position)
    assert np.abs(np.diff(values, axis=0)).max() < 0.02


def test_playback_keeps_body_yaw() -> None:
    performance = MovePlayback(emotion("agreement"), STARTED)
    assert coordinates(performance.at(performance.duration))[BODY_YAW] == pytest.approx(1.0)


def test_half_amplitude_halves_displacement_of_recorded_move() -> None:
    start = MotionState(np.zeros(9), np.zeros(9))
    full, half = MovePlayback(emotion("joy"), start), MovePlayback(emotion("joy"), start, amplitude=0.5)
    for time in np.linspace(0.0, full.duration, 20):
        assert np.allclose(coordinates(half.at(time)), 0.5 * coordinates(full.at(time)))


def test_longer_duration_slows_recorded_move() -> None:
    start = MotionState(np.zeros(9), np.zeros(9))
    own = MovePlayback(emotion("joy"), start)
    slow = MovePlayback(emotion("joy"), start, duration=2.0 * emotion("joy").duration)
    assert slow.duration - own.duration == pytest.approx(emotion("joy").duration)
