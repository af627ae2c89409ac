from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.breathing import BLEND, Breath, Breathing
from reachy_agent_ros.motion.player import Activity
from reachy_agent_ros.motion.request import Library, Named
from reachy_agent_ros.robot.coordinates import HEAD_YAW, coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW
from reachy_agent_ros.robot.protocol import MotorMode
from reachy_agent_ros.robot.sleep import sleep_posture
from reachy_agent_ros.robot.stream import TIMEOUT
from reachy_agent_ros.robot.target_validation import Target
from reachy_agent_ros.robot.workspace import Workspace
from support.robot.rig import PERIOD, Rig

BREATH = Breath(pause=1.0)
LEFT = Target(head=head_transform(yaw=0.5))
WORKSPACE = Workspace()
places = st.tuples(*(st.floats(low, high) for low, high in zip(LOW, HIGH, strict=True))).map(np.array)


def course(breathing: Breathing, seconds: float) -> np.ndarray:
    return np.array([coordinates(breathing.at(time)) for time in np.arange(0.0, seconds, PERIOD)])


def at_rest(values: np.ndarray | None = None) -> MotionState:
    return MotionState(np.zeros(9) if values is None else values, np.zeros(9))


@pytest.fixture
def rig() -> Rig:
    return Rig(BREATH)


def height_of(rig: Rig) -> float:
    return float(coordinates(rig.pose)[2])


def breathes(rig: Rig, seconds: float = 4.0) -> bool:
    """Returns whether the robot moves and reports that it is breathing within `seconds`."""
    before = coordinates(rig.pose)
    for _ in range(round(seconds / PERIOD)):
        rig.turn()
        if rig.controller.breathing and np.abs(coordinates(rig.pose) - before).max() > 0.002:
            return True
    return False


def test_breathing_raises_head_and_sways_antennas_in_opposition() -> None:
    values = course(Breathing(at_rest(), BodyPose(), Breath(), WORKSPACE), 22.0)[round(BLEND / PERIOD) :]
    assert (values[:, 2].max(), values[:, 2].min()) == pytest.approx((0.005, -0.005), abs=1e-5)
    assert values[:, 7].max() == pytest.approx(math.radians(15.0), abs=1e-3)
    assert np.allclose(values[:, 7], -values[:, 8])
    rising = np.flatnonzero((values[:-1, 2] < 0.0) & (values[1:, 2] >= 0.0))
    assert np.diff(rising).mean() * PERIOD == pytest.approx(5.0, abs=0.01)
    rising = np.flatnonzero((values[:-1, 7] < 0.0) & (values[1:, 7] >= 0.0))
    assert np.diff(rising).mean() * PERIOD == pytest.approx(2.0, abs=0.01)


def test_breathing_begins_without_jump_from_any_state() -> None:
    start = np.zeros(9)
    start[:9] = [0.002, 0.0, -0.004, 0.05, 0.0, 0.1, 0.0, 0.2, 0.2]
    values = course(Breathing(at_rest(start), BodyPose(), Breath(), WORKSPACE), 3.0)
    assert np.allclose(values[0], start)
    assert (np.abs(np.diff(values, axis=0)[0]) < 1e-3).all()
    assert (np.abs(np.diff(values, 2, axis=0)).max(axis=0) / PERIOD <= ACCELERATION * PERIOD).all()


def test_breathing_is_gentler_where_full_amplitude_leaves_workspace() -> None:
    place = coordinates(BodyPose(head=head_transform(pitch=0.3, z=0.010)))
    assert WORKSPACE.holds(place)
    assert not WORKSPACE.holds(place + Breath().amplitudes())
    values = course(Breathing(at_rest(place), posture(place), Breath(), WORKSPACE), 11.0)
    assert 0.001 < np.ptp(values[:, 2]) / 2.0 < 0.005
    assert WORKSPACE.holds_all(values)
    assert (np.abs(np.diff(values, 2, axis=0)).max(axis=0) / PERIOD <= ACCELERATION * PERIOD).all()


def test_robot_in_sleep_posture_does_not_breathe() -> None:
    place = coordinates(sleep_posture())
    values = course(Breathing(at_rest(place), sleep_posture(), Breath(), WORKSPACE), 11.0)
    assert np.allclose(values, place)


@pytest.mark.slow
@given(places)
def test_breathing_stays_within_envelope_and_reach(place: np.ndarray) -> None:
    around = posture(place)
    if not WORKSPACE.contains(around):
        return
    for time in np.linspace(BLEND, 11.0, 40):
        pose = Breathing(at_rest(place), around, Breath(), WORKSPACE).at(float(time))
        values = coordinates(pose)
        assert ((values >= LOW - 1e-9) & (values <= HIGH + 1e-9)).all()
        assert WORKSPACE.contains(pose)


def test_idle_robot_starts_breathing_after_pause(rig: Rig) -> None:
    rig.run(BREATH.pause - 0.2)
    assert not rig.controller.breathing
    assert np.allclose(coordinates(rig.pose), 0.0)
    assert breathes(rig)
    assert (rig.controller.activity, rig.controller.commander) == (Activity.IDLE, "")


def test_zero_pause_disables_breathing() -> None:
    assert not breathes(Rig(Breath(pause=0.0)), 10.0)


@pytest.mark.slow
def test_breathing_keeps_gaze_direction(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(2.0)
    assert breathes(rig)
    for _ in range(1000):
        rig.turn()
        assert coordinates(rig.pose)[HEAD_YAW] == pytest.approx(0.5, abs=1e-3)


def test_unset_parts_of_target_keep_posture_before_breathing(rig: Rig) -> None:
    while not height_of(rig) > 0.0045:
        rig.turn()
    rig.play(Target(antennas=(0.3, 0.3)))
    rig.run(1.0)
    assert height_of(rig) == pytest.approx(0.0, abs=1e-6)


def test_new_motion_ends_breathing_immediately(rig: Rig) -> None:
    assert breathes(rig)
    rig.play(LEFT)
    rig.turn()
    assert not rig.controller.breathing
    rig.run(2.0)
    assert rig.codes() == [ErrorCode.NONE]


@pytest.mark.slow
@pytest.mark.parametrize("what", ["hold", "stop", "stream", "cancel", "death", "motors", "loss"])
def test_stopped_robot_stays_still_until_next_motion(rig: Rig, what: str) -> None:
    assert breathes(rig)
    error = AgentError(ErrorCode.CANCELED, "test")
    if what == "hold":
        rig.controller.hold()
    elif what == "stop":
        rig.controller.stop("test")
        rig.run(0.5)
        rig.controller.release()
    elif what == "stream":
        rig.stream(LEFT)
        rig.run(TIMEOUT + 0.1)
    elif what in ("cancel", "death"):
        rig.controller.cancel(rig.play(LEFT), error, holding=what == "death")
    elif what == "motors":
        rig.mode = MotorMode.DISABLED
        rig.run(0.1)
        rig.mode = MotorMode.ENABLED
    else:
        rig.controller.disconnected(error)
    rig.run(0.5)
    still = coordinates(rig.pose)
    rig.run(10.0)
    assert not rig.controller.breathing
    assert np.allclose(coordinates(rig.pose), still, atol=1e-6)
    rig.play(LEFT)
    rig.run(2.0)
    assert breathes(rig)


@pytest.mark.slow
def test_breathing_pauses_during_thinking_and_resumes_immediately(rig: Rig) -> None:
    assert breathes(rig)
    rig.controller.think(True)
    rig.run(0.5)
    still = coordinates(rig.pose)
    rig.run(10.0)
    assert not rig.controller.breathing
    assert np.allclose(coordinates(rig.pose), still, atol=1e-6)
    rig.controller.think(False)
    rig.turn()
    assert rig.controller.breathing
    assert breathes(rig)


def test_breathing_does_not_begin_during_thinking(rig: Rig) -> None:
    rig.controller.think(True)
    rig.run(BREATH.pause + 1.0)
    assert np.allclose(coordinates(rig.pose), 0.0)


@pytest.mark.slow
@settings(max_examples=25)
@given(st.lists(st.integers(1, 120), min_size=2, max_size=8))
def test_thinking_causes_neither_jump_nor_drift(turns: list[int]) -> None:
    rig = Rig(Breath(pause=0.05))
    values = []
    for number, count in enumerate(turns):
        rig.controller.think(number % 2 == 0)
        for _ in range(count):
            rig.turn()
            values.append(coordinates(rig.pose))
    accelerations = np.diff(values, 2, axis=0) / PERIOD**2
    assert (np.abs(accelerations) <= ACCELERATION + 1e-6).all()
    # The bound exceeds one breath's amplitude, because a breath can begin before the previous one has ended.
    assert (np.abs(values) <= 1.5 * Breath().amplitudes() + 1e-9).all()


@pytest.mark.parametrize("wish", [LEFT, Named(Library.DANCE, "simple_nod")])
def test_thinking_does_not_change_motion(wish: Target | Named) -> None:
    courses = []
    for thinking in (False, True):
        rig = Rig(BREATH)
        rig.controller.think(thinking)
        rig.play(wish)
        courses.append([])
        for turn in range(300):
            if turn % 40 == 39:
                rig.controller.think(not thinking and turn < 200)
            rig.turn()
            if not rig.controller.breathing:
                courses[-1].append(coordinates(rig.pose))
        assert rig.codes() == [ErrorCode.NONE]
    shorter = min(map(len, courses))
    assert np.array_equal(courses[0][:shorter], courses[1][:shorter])


@pytest.mark.slow
def test_interrupted_breathing_does_not_drift(rig: Rig) -> None:
    for _ in range(10):
        assert breathes(rig)
        rig.run(0.37)
        rig.controller.listen(True, rig.now)
        rig.run(0.7)
    rig.play(Named(Library.DANCE, "simple_nod"))
    rig.run(0.1)
    rig.controller.hold()
    assert abs(height_of(rig)) < 0.006
