import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Vector, head_transform
from reachy_agent_ros.motion.gesture import GO_TO_SLEEP, WAKE_UP, Gesture, gesture, gestures
from reachy_agent_ros.robot.coordinates import BODY_YAW, HEAD_YAW, coordinates, posture
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.sleep import resting_posture, sleep_posture
from reachy_agent_ros.robot.workspace import Workspace
from support.cases import share_of_examples
from support.robot.unhindered import assert_unhindered

PITCH = 4
RELATIVE = sorted(set(gestures()) - {WAKE_UP, GO_TO_SLEEP})

angles = st.floats(-0.69, 0.69)
postures = st.builds(
    lambda roll, pitch, neck, body, z: BodyPose(head_transform(roll, pitch, neck + body, z=z), body_yaw=body),
    angles,
    angles,
    st.floats(-1.1, 1.1),
    st.floats(-2.7, 2.7),
    st.floats(-0.03, 0.015),
)


def at_rest(pose: BodyPose) -> MotionState:
    return MotionState(coordinates(pose), np.zeros(9))


def sampled(name: str, pose: BodyPose) -> Vector:
    move = Gesture(name, coordinates(pose)).begin(at_rest(pose))
    return np.array([coordinates(move.at(time)) for time in np.arange(0.0, move.duration + 0.01, 0.01)])


def test_lists_expected_gestures() -> None:
    assert set(gestures()) == {"nod", "shake", "tilt", "look_around", "wake_up", "go_to_sleep"}
    assert all(gesture(name).description for name in gestures())


def test_nod_keeps_gaze_direction() -> None:
    left = BodyPose(head_transform(yaw=0.4, pitch=0.05))
    values = sampled("nod", left)
    assert np.allclose(values[:, HEAD_YAW], 0.4)
    assert values[:, PITCH].max() == pytest.approx(0.05 + np.radians(17.0), abs=1e-3)
    assert np.allclose(values[-1], coordinates(left))


def test_looking_around_returns_to_initial_gaze() -> None:
    right = BodyPose(head_transform(yaw=-0.5), body_yaw=-0.4)
    values = sampled("look_around", right)
    gaze = values[:, HEAD_YAW] + values[:, BODY_YAW]
    assert gaze[0] == pytest.approx(-0.5)
    assert gaze[-1] == pytest.approx(-0.5)
    assert gaze.max() > -0.5 + np.radians(55.0)
    assert gaze.min() < -0.5 - np.radians(55.0)


@pytest.mark.slow
@settings(max_examples=share_of_examples(0.3), deadline=None)
@given(st.sampled_from(RELATIVE), postures)
def test_gesture_from_any_gaze_is_within_limits_and_returns_to_gaze(name: str, pose: BodyPose) -> None:
    ample = coordinates(pose)
    ample[:BODY_YAW] *= 1.1
    assume(Workspace().contains(posture(ample)))
    move = Gesture(name, coordinates(pose)).begin(at_rest(pose))
    assert_unhindered(move, pose)
    assert np.allclose(coordinates(move.at(move.duration)), coordinates(pose), atol=1e-9)
    excursion = np.ptp([coordinates(move.at(time)) for time in np.arange(0.0, move.duration, 0.02)], axis=0)
    whole = np.ptp(gesture(name).keyframes, axis=0)
    assert (excursion >= 0.9 * whole).all()


def test_wake_up_ends_at_neutral_posture() -> None:
    move = Gesture(WAKE_UP, coordinates(resting_posture())).begin(at_rest(resting_posture()))
    assert_unhindered(move, resting_posture())
    assert np.allclose(coordinates(move.at(0.0)), coordinates(resting_posture()))
    assert np.allclose(coordinates(move.at(move.duration)), 0.0)


def test_wake_up_starts_from_head_resting_on_shell() -> None:
    move = Gesture(WAKE_UP, coordinates(sleep_posture())).begin(at_rest(sleep_posture()))
    gate, command = SafetyGate(), sleep_posture()
    gate.reset(command)
    for time in np.arange(0.0, move.duration + 0.5, 0.01):
        command = gate.step(move.at(time), command, 0.01)
    assert np.allclose(coordinates(command), 0.0, atol=1e-6)


def test_go_to_sleep_ends_just_above_sleep_posture_from_any_start() -> None:
    awake = BodyPose(head_transform(yaw=1.5, pitch=-0.2), 0.3, 0.3, 1.0)
    move = Gesture(GO_TO_SLEEP, coordinates(awake)).begin(at_rest(awake))
    assert_unhindered(move, awake)
    assert np.allclose(coordinates(move.at(move.duration)), coordinates(resting_posture()))
    assert Workspace().contains(resting_posture())
    assert resting_posture().head[2, 3] - sleep_posture().head[2, 3] == pytest.approx(0.004)


def test_rejects_unknown_gesture_and_lists_known_ones() -> None:
    with pytest.raises(AgentError, match="nod") as refused:
        Gesture("wink", np.zeros(9))
    assert refused.value.code is ErrorCode.UNKNOWN_MOVE
