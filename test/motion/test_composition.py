from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.composition import LARGEST_TRIM, Composition, Trim
from reachy_agent_ros.motion.following import TOLERANCE
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.robot.coordinates import BODY_YAW, HEAD_YAW, coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.target_validation import Target
from reachy_agent_ros.robot.workspace import Workspace
from support.robot.rig import PERIOD, Rig

WORKSPACE = Workspace()
WANTED = np.zeros(9)
AT_REST = MotionState(np.zeros(9), np.zeros(9))
places = st.tuples(*(st.floats(low, high) for low, high in zip(LOW, HIGH, strict=True))).map(np.array)
turns = st.tuples(*(st.floats(-0.5, 0.5),) * 3).map(np.array)


def composed(primary: BodyPose, turn: np.ndarray) -> tuple[Composition, BodyPose]:
    """Composes a primary posture with a layer whose offset is sent for 1 s.

    Returns the composition and the composed posture.
    """
    composition, whole = Composition(WORKSPACE), primary
    for now in np.arange(0.0, 1.0, PERIOD):
        composition.layers.set(OffsetSource.FACE, Offset(rotation=turn), float(now))
        composition.advance(AT_REST, float(now), frozen=False)
        whole = composition.whole(primary)
    return composition, whole


@pytest.mark.slow
@settings(max_examples=25)
@given(places, turns)
def test_motion_layers_stay_within_envelope_and_reach(place: np.ndarray, turn: np.ndarray) -> None:
    primary = posture(place)
    if not WORKSPACE.contains(primary):
        return
    whole = composed(primary, turn)[1]
    values = coordinates(whole)
    assert ((values >= LOW - 1e-9) & (values <= HIGH + 1e-9)).all()
    assert WORKSPACE.contains(whole)


@pytest.mark.parametrize("place", [0.0, 0.9])
def test_recovers_primary_motion_from_composition_with_reduced_layers(place: float) -> None:
    primary = BodyPose(head_transform(yaw=place))
    composition, whole = composed(primary, np.array([0.0, 0.2, 0.7]))
    found = composition.advance(MotionState(coordinates(whole), np.zeros(9)), 1.0, frozen=False)
    assert np.allclose(found.position, coordinates(primary), atol=1e-3)
    assert np.allclose(found.velocity, 0.0, atol=0.01)


@pytest.mark.slow
def test_motion_to_limit_succeeds_despite_layer_beyond_limit() -> None:
    rig = Rig()
    rig.play(Target(head=head_transform(yaw=1.0), body_yaw=0.0))
    for _ in range(300):
        rig.controller.offset(OffsetSource.FACE, Offset(rotation=np.array([0.0, 0.0, 1.0])), rig.now)
        rig.turn()
    assert rig.codes() == [ErrorCode.NONE]
    assert 1.0 <= coordinates(rig.pose)[HEAD_YAW] <= HIGH[HEAD_YAW]


def test_newer_motion_continues_velocity_of_replaced_motion() -> None:
    """Runs with a layer that nods continuously.

    If a new move started from the posture with the layer, it would first slow down.
    """
    rig = Rig()
    rig.play(Target(body_yaw=2.0), duration=2.0)
    for turn in range(150):
        nod = np.array([0.0, 0.1 * np.sin(10.0 * rig.now), 0.0])
        rig.controller.offset(OffsetSource.SPEECH, Offset(rotation=nod), rig.now)
        before = rig.controller.gate.state.velocity[BODY_YAW]
        if turn == 100:
            rig.play(Target(body_yaw=2.5), duration=2.0)
        rig.turn()
        after = rig.controller.gate.state.velocity[BODY_YAW]
        if turn in (100, 101, 102):
            assert before > 1.5
            assert after == pytest.approx(before, abs=0.03)


def test_trim_is_zero_without_deviation() -> None:
    trim = Trim()
    trim.correct(WANTED, WANTED, PERIOD)
    assert not trim.values.any()


@pytest.mark.parametrize("lag", [0.0, 0.05, 0.4])
def test_trim_reduces_constant_deviation_without_oscillation(lag: float) -> None:
    """The lags include the delay of the real robot and the slow settling of the simulation."""
    trim, body, commands = Trim(), np.zeros(9), [np.zeros(9)] * 5
    deviation = 0.3 * TOLERANCE
    seen = []
    for _ in range(300):
        trim.correct(WANTED, body, PERIOD)
        commands.append(trim.values - deviation)
        body = body + (commands[-6] - body) * (PERIOD / (lag + PERIOD))
        seen.append(body[4] / deviation[4])
    assert seen[-1] == pytest.approx(-1.0 / 3.0, abs=0.01)
    assert max(seen[60:]) < 0.0


def test_trim_stays_bounded_while_body_is_held() -> None:
    trim = Trim()
    for _ in range(1000):
        trim.correct(WANTED, 5.0 * TOLERANCE, PERIOD)
    assert (np.abs(trim.values) <= LARGEST_TRIM).all()


def test_trim_fades_during_next_motion() -> None:
    trim = Trim()
    for _ in range(100):
        trim.correct(WANTED, TOLERANCE / 2.0, PERIOD)
    for _ in range(300):
        trim.fade(PERIOD)
    assert np.abs(trim.values).max() < 1e-4
