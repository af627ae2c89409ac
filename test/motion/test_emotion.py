import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.emotion import emotion, emotions
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.envelope import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.kinematics import BodyKinematics

STEP = 0.01


def test_the_vocabulary_has_what_a_conversation_needs() -> None:
    needed = {"joy", "sadness", "surprise", "curiosity", "agreement", "refusal", "confusion", "thinking"}
    assert needed <= set(emotions())


@pytest.mark.parametrize("name", emotions())
def test_an_emotion_needs_no_correction_by_the_gate(name: str) -> None:
    move = emotion(name)
    poses = [move.at(time) for time in np.arange(0.0, move.duration + STEP, STEP)]
    values = np.array([coordinates(pose) for pose in poses])
    for pose in poses:
        BodyKinematics().inverse(pose)
    assert ((values >= LOW) & (values <= HIGH)).all()
    assert (np.abs(np.diff(values, axis=0)) / STEP <= SPEED).all()
    assert (np.abs(np.diff(values, 2, axis=0)) / STEP**2 <= ACCELERATION).all()


@pytest.mark.parametrize("name", emotions())
def test_an_emotion_begins_and_ends_neutral_and_says_what_it_is(name: str) -> None:
    move = emotion(name)
    assert np.allclose(coordinates(move.at(0.0)), 0.0)
    assert np.allclose(coordinates(move.at(move.duration)), 0.0)
    assert move.description


def test_an_unknown_emotion_is_refused_with_those_there_are() -> None:
    with pytest.raises(AgentError, match="joy") as refused:
        emotion("../../etc/passwd")
    assert refused.value.code is ErrorCode.UNKNOWN_MOVE
