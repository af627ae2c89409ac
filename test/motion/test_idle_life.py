"""Idle life of the real controller with its safety gate, on a simulated clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import Vector, head_transform
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.drowsiness import Alertness, Liveliness
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.motion.pose_move import GENTLE_ACCELERATION, GENTLE_SPEED
from reachy_agent_ros.motion.request import Library, Named
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.coordinates import ANGLES, HEAD_YAW, coordinates
from reachy_agent_ros.robot.protocol import MotorMode
from reachy_agent_ros.robot.sleep import sleep_posture
from reachy_agent_ros.robot.target_validation import Target
from support.robot.rig import PERIOD, STILL, Rig

BREATH = Breath(pause=0.2)
EAGER = Liveliness(intensity=1.0)
DROWSY = Liveliness(intensity=1.0, sleepy_after=2.0, asleep_after=6.0)
LEFT = Target(head=head_transform(yaw=0.4))
MOVED = 0.02
"""Turn of the head that breathing does not cause, rad."""

HOUR = 3600.0
TEN_MINUTES = 600.0
SAME = np.radians(2.0)


def angles(rig: Rig) -> Vector:
    return coordinates(rig.pose)[ANGLES]


def run_until(rig: Rig, reached: Callable[[], bool], seconds: float = 60.0) -> None:
    for _ in range(round(seconds / PERIOD)):
        if reached():
            return
        rig.turn()
    raise AssertionError("The state was not reached.")


def glance(rig: Rig) -> None:
    """Waits for a glance: the head has turned away from where it is now, and rests."""
    before = angles(rig)
    run_until(rig, lambda: bool(np.abs(angles(rig) - before).max() > MOVED))
    last = [angles(rig)]
    run_until(rig, lambda: rests(rig, last))


def rests(rig: Rig, last: list[Vector]) -> bool:
    rig.turn()
    last.append(angles(rig))
    return bool(np.abs(last[-1] - last[-2]).max() < 1e-6)


def stays(rig: Rig, seconds: float) -> bool:
    """Returns whether the head keeps its orientation."""
    before = angles(rig)
    for _ in range(round(seconds / PERIOD)):
        rig.turn()
        if np.abs(angles(rig) - before).max() > MOVED:
            return False
    return True


@pytest.fixture
def rig() -> Rig:
    return Rig(BREATH, EAGER)


@pytest.fixture
def sleeper() -> Rig:
    rig = Rig(BREATH, DROWSY)
    run_until(rig, lambda: bool(coordinates(rig.pose)[2] < -0.035))
    assert rig.controller.alertness is Alertness.ASLEEP
    return rig


def test_idle_robot_glances_and_returns(rig: Rig) -> None:
    glance(rig)
    assert rig.controller.breathing
    run_until(rig, lambda: bool(np.abs(angles(rig)).max() < 1e-6))


def test_zero_intensity_disables_glances() -> None:
    assert stays(Rig(BREATH, STILL), 30.0)


def test_change_of_parameters_ends_idle_life(rig: Rig) -> None:
    glance(rig)
    rig.controller.enliven(STILL)
    run_until(rig, lambda: bool(np.abs(angles(rig)).max() < 1e-6), 5.0)
    assert stays(rig, 15.0)


def test_motion_takes_over_during_glance(rig: Rig) -> None:
    glance(rig)
    rig.play(LEFT)
    rig.turn()
    assert not rig.controller.breathing
    rig.run(2.0)
    assert rig.codes() == [ErrorCode.NONE]
    assert coordinates(rig.pose)[HEAD_YAW] == pytest.approx(0.4, abs=0.01)


def test_unset_parts_of_target_keep_posture_before_glance(rig: Rig) -> None:
    glance(rig)
    rig.play(Target(antennas=(0.3, 0.3)))
    run_until(rig, lambda: bool(rig.endings))
    assert np.allclose(angles(rig), 0.0, atol=1e-3)


def test_gesture_during_glance_returns_to_posture_before_glance(rig: Rig) -> None:
    glance(rig)
    rig.play(Named(Library.GESTURE, "nod"))
    run_until(rig, lambda: bool(rig.endings))
    assert rig.codes() == [ErrorCode.NONE]
    assert np.allclose(angles(rig), 0.0, atol=1e-3)


@pytest.mark.slow
def test_glances_stay_near_commanded_posture(rig: Rig) -> None:
    rig.play(LEFT)
    run_until(rig, lambda: bool(rig.endings))
    for _ in range(3000):
        rig.turn()
        assert np.abs(angles(rig) - [0.0, 0.0, 0.4]).max() <= EAGER.turn + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("what", ["hold", "stop", "motors", "stream", "motion"])
def test_robot_does_not_glance_while_it_is_stopped_or_commanded(rig: Rig, what: str) -> None:
    glance(rig)
    if what == "hold":
        rig.controller.hold()
    elif what == "stop":
        rig.controller.stop("test")
    elif what == "motors":
        rig.mode = MotorMode.GRAVITY_COMPENSATION
    elif what == "motion":
        rig.play(LEFT, duration=20.0)
    for number in range(1500):
        if what == "stream" and number % 5 == 0:
            rig.stream(LEFT)
        rig.turn()
        assert not rig.controller.breathing
    assert rig.codes() in ([], [ErrorCode.NONE])


@pytest.mark.slow
@pytest.mark.parametrize("what", ["thinking", "attention", "face"])
def test_robot_that_is_needed_returns_from_glance_and_stays(rig: Rig, what: str) -> None:
    glance(rig)
    if what == "thinking":
        rig.controller.think(True)
    elif what == "attention":
        rig.controller.attend(True)
    turned = Offset(rotation=np.array([0.0, 0.0, 0.1])) if what == "face" else Offset()
    for number in range(1500):
        if what == "face":
            rig.controller.offset(OffsetSource.FACE, turned, rig.now)
        rig.turn()
        if number > 500:
            assert np.allclose(angles(rig), turned.rotation, atol=1e-3)


def test_listening_stops_glance_where_it_is(rig: Rig) -> None:
    run_until(rig, lambda: bool(np.abs(angles(rig)).max() > MOVED))
    for number in range(1000):
        rig.controller.listen(True, rig.now)
        rig.turn()
        if number == 20:
            still = coordinates(rig.pose)
    assert np.allclose(coordinates(rig.pose), still, atol=1e-6)
    rig.controller.listen(False, rig.now)
    run_until(rig, lambda: bool(np.abs(angles(rig)).max() < 1e-6))


def test_head_returns_from_glance_when_agent_thinks_after_listening(rig: Rig) -> None:
    run_until(rig, lambda: bool(np.abs(angles(rig)).max() > MOVED))
    for _ in range(100):
        rig.controller.listen(True, rig.now)
        rig.turn()
    rig.controller.listen(False, rig.now)
    rig.controller.think(True)
    run_until(rig, lambda: bool(np.abs(angles(rig)).max() < 1e-6), 4.0)
    assert not rig.controller.breathing


@pytest.mark.parametrize("frame", ["head_base", "base_link"])
def test_robot_glances_at_new_point(rig: Rig, frame: str) -> None:
    rig.run(1.0)
    rig.controller.notice(np.array([1.0, 0.3, 0.1]), frame, rig.now)
    run_until(rig, lambda: bool(abs(coordinates(rig.pose)[HEAD_YAW] - np.arctan2(0.3, 1.0)) < 1e-4), 3.0)


@pytest.mark.parametrize(
    ("point", "frame", "code"),
    [
        ((np.nan, 0.0, 0.0), "head_base", ErrorCode.NOT_FINITE),
        ((0.0, 0.0, 0.01), "head_base", ErrorCode.OUT_OF_ENVELOPE),
        ((1.0, 0.0, 0.0), "map", ErrorCode.INVALID_GOAL),
    ],
)
def test_reports_invalid_point(rig: Rig, point: tuple[float, ...], frame: str, code: ErrorCode) -> None:
    rig.controller.notice(np.array(point), frame, rig.now)
    assert rig.reported() == {"point": code}


@pytest.mark.slow
def test_unused_robot_lowers_head_and_sleeps(sleeper: Rig) -> None:
    sleeper.run(5.0)
    assert stays(sleeper, 20.0)
    assert sleeper.controller.breathing


@pytest.mark.slow
@pytest.mark.parametrize("what", ["name", "turn"])
def test_sleeping_robot_wakes_up_when_it_is_needed(sleeper: Rig, what: str) -> None:
    sleeper.run(4.0)
    if what == "name":
        sleeper.controller.attend(True)
    else:
        sleeper.controller.think(True)
    run_until(sleeper, lambda: bool(np.abs(coordinates(sleeper.pose)[:6]).max() < 0.006), 5.0)
    assert sleeper.controller.alertness is Alertness.AWAKE


@pytest.mark.slow
def test_sleeping_robot_sleeps_on_after_voices(sleeper: Rig) -> None:
    sleeper.run(4.0)
    for _ in range(200):
        sleeper.controller.listen(True, sleeper.now)
        sleeper.turn()
    assert stays(sleeper, 10.0)
    assert sleeper.controller.alertness is Alertness.ASLEEP


def test_robot_that_moves_is_awake(sleeper: Rig) -> None:
    sleeper.play(LEFT)
    sleeper.turn()
    assert sleeper.controller.alertness is Alertness.AWAKE


@pytest.mark.slow
def test_robot_found_in_sleep_posture_does_not_glance(rig: Rig) -> None:
    rig.controller, rig.pose = MotionController(BREATH, liveliness=EAGER), sleep_posture()
    rig.run(5.0)
    assert rig.controller.breathing
    assert stays(rig, 20.0)


@pytest.mark.slow
def test_sleeping_robot_ignores_points(sleeper: Rig) -> None:
    sleeper.run(4.0)
    sleeper.controller.notice(np.array([1.0, 0.3, 0.1]), "head_base", sleeper.now)
    assert stays(sleeper, 10.0)


@pytest.mark.slow
@pytest.mark.parametrize("yaw", [-0.9, 0.0, 0.9])
@pytest.mark.parametrize("pitch", [-0.4, 0.1, 0.3])
def test_sleeping_robot_reaches_target(sleeper: Rig, yaw: float, pitch: float) -> None:
    sleeper.play(Target(head=head_transform(yaw=yaw, pitch=pitch)))
    run_until(sleeper, lambda: bool(sleeper.endings), 8.0)
    assert sleeper.codes() == [ErrorCode.NONE]


@pytest.mark.slow
@pytest.mark.parametrize("yaw", [-1.2, 0.7])
def test_robot_turned_aside_sleeps_and_wakes_within_workspace(yaw: float) -> None:
    rig, watch = Rig(BREATH, DROWSY), CommandWatch()
    rig.play(Target(head=head_transform(yaw=yaw, pitch=0.1)))
    run_until(rig, lambda: bool(rig.endings))
    turned = angles(rig)
    for number in range(4000):
        rig.controller.attend(number > 2500)
        rig.turn()
        watch.see(rig.pose, PERIOD, stopped=False)
        if number == 2500:
            assert rig.controller.alertness is Alertness.ASLEEP
    assert np.allclose(angles(rig), turned, atol=1e-6)
    assert (watch.violations, watch.jumps) == (0, 0)


def commands(rig: Rig, watch: CommandWatch, seconds: float) -> np.ndarray:
    rows = []
    for _ in range(round(seconds / PERIOD)):
        rig.turn()
        watch.see(rig.pose, PERIOD, stopped=False)
        rows.append(coordinates(rig.pose))
    return np.array(rows)


def require_gentle(rows: np.ndarray) -> None:
    speeds = np.diff(rows, axis=0) / PERIOD
    assert (np.abs(speeds) <= GENTLE_SPEED).all()
    assert (np.abs(np.diff(speeds, axis=0)) / PERIOD <= GENTLE_ACCELERATION).all()


@pytest.mark.slow
@pytest.mark.parametrize("liveliness", [EAGER, Liveliness(1.0, 0.8), Liveliness(1.0, 0.5, 5.0, 25.0)])
def test_idle_life_is_gentle_and_within_envelope(liveliness: Liveliness) -> None:
    rig, watch = Rig(BREATH, liveliness), CommandWatch()
    require_gentle(commands(rig, watch, 40.0))
    assert (watch.violations, watch.jumps) == (0, 0)
    assert rig.reported() == {}


def glances_in(rows: np.ndarray) -> Iterator[tuple[float, Vector]]:
    """Yields every orientation in which the head rests away from the front, with its time (s). Breathing only lifts."""
    turning = np.abs(np.diff(rows[:, ANGLES], axis=0)).max(axis=1) > 1e-9
    for index in np.flatnonzero(turning[:-1] & ~turning[1:]):
        if np.abs(rows[index + 1, ANGLES]).max() > 1e-3:
            yield float(index * PERIOD), rows[index + 1, ANGLES]


@pytest.mark.nightly
@pytest.mark.timeout(1800)
def test_one_hour_is_varied_gentle_and_within_envelope() -> None:
    rig, watch = Rig(Breath(), Liveliness(sleepy_after=0.0, asleep_after=0.0)), CommandWatch()
    rows = commands(rig, watch, HOUR)
    assert (watch.violations, watch.jumps) == (0, 0)
    assert rig.reported() == {}
    require_gentle(rows)
    glances = list(glances_in(rows))
    assert len(glances) > 200
    orders = [(time, np.concatenate([first, second])) for (_, first), (time, second) in pairwise(glances)]
    for number, (time, order) in enumerate(orders):
        recent = [earlier for when, earlier in orders[:number] if time - when < TEN_MINUTES]
        assert not any((np.abs(earlier - order) <= SAME).all() for earlier in recent)
