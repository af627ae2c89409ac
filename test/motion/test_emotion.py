import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.motion.emotion import emotion, emotions
from reachy_agent_ros.robot.coordinates import ANTENNAS, coordinates
from support.cases import mostly_nightly
from support.robot.unhindered import assert_unhindered


def test_emotions_include_those_used_in_conversation() -> None:
    needed = {"joy", "sadness", "surprise", "curiosity", "agreement", "refusal", "confusion", "thinking"}
    assert needed <= set(emotions())
    assert len(emotions()) >= 24


@pytest.mark.parametrize("name", mostly_nightly(emotions(), one_in=3))
def test_safety_gate_does_not_change_emotion(name: str) -> None:
    assert_unhindered(emotion(name))


@pytest.mark.parametrize("name", emotions())
def test_emotion_starts_and_ends_neutral_with_description(name: str) -> None:
    move = emotion(name)
    assert np.allclose(coordinates(move.at(0.0)), 0.0)
    assert np.allclose(coordinates(move.at(move.duration)), 0.0)
    assert 2.0 <= move.duration <= 7.0
    assert move.description


@pytest.mark.parametrize("name", emotions())
def test_emotion_moves_head_and_antennas(name: str) -> None:
    excursion = np.ptp(emotion(name).keyframes, axis=0)
    assert excursion[3:6].max() > np.radians(12.0)
    assert excursion[ANTENNAS].max() > np.radians(10.0)


def test_emotions_differ_from_each_other() -> None:
    shapes = {name: _shape(name) for name in emotions()}
    for name, shape in shapes.items():
        others = [np.abs(shape - other).max() for key, other in shapes.items() if key != name]
        assert min(others) > np.radians(10.0), name


def _shape(name: str) -> Vector:
    move = emotion(name)
    return np.array([coordinates(move.at(time))[3:] for time in np.linspace(0.0, move.duration, 50)])


def test_rejects_unknown_emotion_and_lists_known_ones() -> None:
    with pytest.raises(AgentError, match="joy") as refused:
        emotion("../../etc/passwd")
    assert refused.value.code is ErrorCode.UNKNOWN_MOVE
