from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Vector, head_transform
from reachy_agent_ros.learning.correction.skills import (
    APPROACH,
    LOOK_AT_OBJECT,
    MAKE_GESTURE,
    SKILLS,
    TALK,
    Skill,
)
from reachy_agent_ros.learning.score import Axis
from reachy_agent_ros.motion.gesture import Gesture, gesture
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.tts.request import checked_speed, checked_volume

skills = st.sampled_from(list(SKILLS.values()))
numbers = st.floats(-1e12, 1e12)


@given(skills, numbers, st.lists(numbers, min_size=2, max_size=2))
def test_skill_action_stays_within_bounds(skill: Skill, value: float, offset: list[float]) -> None:
    action = skill.action(dict.fromkeys(skill.context, value), np.array(offset[: len(skill.parameters)]))
    assert all(one.low <= action[one.name] <= one.high for one in skill.parameters)


@given(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))
def test_skill_offset_is_recovered_from_action_within_bounds(pitch: float, yaw: float) -> None:
    context, offset = {"target_pitch": 0.1, "target_yaw": -0.2}, np.array((pitch, yaw))
    assert np.allclose(LOOK_AT_OBJECT.offset(context, LOOK_AT_OBJECT.action(context, offset)), offset)


def test_skill_rejects_missing_or_infinite_context() -> None:
    with pytest.raises(AgentError, match="target_yaw") as missing:
        LOOK_AT_OBJECT.features_of({"target_pitch": 0.0})
    assert missing.value.code is ErrorCode.INVALID_ARGUMENTS
    with pytest.raises(AgentError) as infinite:
        LOOK_AT_OBJECT.action({"target_pitch": np.nan, "target_yaw": 0.0}, np.zeros(2))
    assert infinite.value.code is ErrorCode.NOT_FINITE


def test_correction_axis_changes_its_parameter() -> None:
    assert LOOK_AT_OBJECT.direction(Axis.PITCH_UP).tolist() == [-1.0, 0.0]  # pitch is positive below the horizon
    assert MAKE_GESTURE.direction(Axis.BIGGER).tolist() == [1.0, 0.0]
    assert MAKE_GESTURE.direction(Axis.SLOWER).tolist() == [0.0, -1.0]
    assert TALK.direction(Axis.LOUDER).tolist() == [0.0, 1.0]
    assert APPROACH.direction(Axis.CLOSER).tolist() == [1.0]
    assert not APPROACH.direction(Axis.LOUDER).any()


@pytest.mark.parametrize("sign", [-9.0, 0.0, 9.0])
def test_robot_can_reach_extreme_actions_of_skills(sign: float) -> None:
    context = {"distance": 1.0, "target_pitch": 0.0, "target_yaw": 0.0}
    look = BodyPose(head_transform(**LOOK_AT_OBJECT.action(context, np.full(2, sign))))
    lean = BodyPose(head_transform(x=APPROACH.action(context, np.full(1, sign))["lean"]))
    for pose in (look, lean):
        assert (coordinates(pose) >= LOW - 1e-9).all()
        assert (coordinates(pose) <= HIGH + 1e-9).all()
    assert BodyKinematics().reaches(lean)
    speech = TALK.action(context, np.full(2, sign))
    assert checked_speed(speech["speed"]) == speech["speed"]
    assert checked_volume(speech["volume"], 0.5) == speech["volume"]


def nodding(offset: Vector) -> tuple[float, float]:
    """Returns the duration (s) and the pitch range (rad) of a nod."""
    start = coordinates(BodyPose(head_transform()))
    action = MAKE_GESTURE.action({"distance": 1.0}, offset)
    nod = Gesture("nod", start, action["size"], gesture("nod").duration / action["tempo"])
    course = nod.begin(MotionState(start, np.zeros(9)))
    pitches = [coordinates(course.at(time))[4] for time in np.arange(0.0, course.duration, 0.01)]
    return course.duration, float(np.ptp(pitches))


def test_size_and_tempo_scale_nod() -> None:
    duration, extent = nodding(np.zeros(2))
    smaller = nodding(np.array([-1.0, 1.0]))
    assert smaller[1] == pytest.approx(extent * 0.85, rel=0.05)
    assert smaller[0] < duration


def test_uncorrected_gesture_and_speech_use_defaults() -> None:
    assert MAKE_GESTURE.untaught({"distance": 2.0}) == {"size": 1.0, "tempo": 1.0}
    assert TALK.untaught({"distance": 2.0}) == {"speed": 1.0, "volume": 1.0}
