import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.continuation import Continuation
from reachy_agent_ros.motion.paced_move import FASTEST_PACE, SLOWEST_PACE
from reachy_agent_ros.motion.player import Activity
from reachy_agent_ros.motion.request import Library, Named
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.protocol import MotorMode
from reachy_agent_ros.robot.target_validation import Target
from support.robot.rig import PERIOD, Rig

LEFT = Target(body_yaw=1.0)
DANCE = Named(Library.DANCE, "dizzy_spin")


@pytest.fixture
def rig() -> Rig:
    return Rig()


def go_on(rig: Rig) -> None:
    rig.controller.execute(Continuation(), "tools", rig.endings.append)


def seconds_of(rig: Rig) -> float:
    """Runs until the motion ends. Returns how long it took."""
    began = rig.now
    while rig.controller.activity is Activity.MOVING:
        rig.turn()
        assert rig.now - began < 60.0
    return rig.now - began


def see(watch: CommandWatch, rig: Rig, seconds: float) -> None:
    for _ in range(round(seconds / PERIOD)):
        rig.turn()
        watch.see(rig.pose, PERIOD, stopped=False)


def test_held_motion_continues_to_its_goal(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(0.6)
    rig.controller.hold()
    rig.run(2.0)
    held = rig.pose.body_yaw
    assert 0.0 < held < 0.9
    go_on(rig)
    rig.run(3.0)
    assert rig.codes() == [ErrorCode.CANCELED, ErrorCode.NONE]
    assert rig.pose.body_yaw == pytest.approx(1.0, abs=0.01)


def test_held_dance_continues_from_where_it_was(rig: Rig) -> None:
    rig.play(DANCE)
    whole = seconds_of(rig)
    rig.play(DANCE)
    rig.run(0.6 * whole)
    rig.controller.hold()
    rig.run(1.0)
    go_on(rig)
    assert 0.2 * whole < seconds_of(rig) < 0.8 * whole
    assert rig.codes()[-1] is ErrorCode.NONE


def test_motion_can_be_held_several_times(rig: Rig) -> None:
    rig.play(LEFT)
    for _ in range(3):
        rig.run(0.4)
        rig.controller.hold()
        rig.run(0.5)
        go_on(rig)
    rig.run(4.0)
    assert rig.codes()[-1] is ErrorCode.NONE
    assert rig.pose.body_yaw == pytest.approx(1.0, abs=0.01)


def test_continued_motion_stays_within_limits(rig: Rig) -> None:
    watch = CommandWatch()
    rig.play(DANCE)
    see(watch, rig, 1.0)
    for pause in (0.05, 0.3, 0.02):
        rig.controller.hold()
        see(watch, rig, pause)
        go_on(rig)
        see(watch, rig, 0.7)
    see(watch, rig, 4.0)
    assert (watch.violations, watch.jumps) == (0, 0)


def refused(rig: Rig) -> ErrorCode:
    with pytest.raises(AgentError) as refusal:
        go_on(rig)
    return refusal.value.code


def test_emergency_stop_ends_motion_for_good(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(0.5)
    rig.controller.stop("test")
    assert refused(rig) is ErrorCode.NOT_FOUND
    rig.controller.release()
    assert refused(rig) is ErrorCode.NOT_FOUND


def test_emergency_stop_rejects_continuation_of_held_motion(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(0.5)
    rig.controller.hold()
    rig.controller.stop("test")
    rig.run(0.1)
    rig.controller.release()
    assert refused(rig) is ErrorCode.NOT_FOUND


def test_newer_motion_replaces_held_one(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(0.5)
    rig.controller.hold()
    rig.play(Target(body_yaw=0.0))
    rig.run(3.0)
    assert refused(rig) is ErrorCode.NOT_FOUND


def test_completed_motion_cannot_be_continued(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(4.0)
    rig.controller.hold()
    assert refused(rig) is ErrorCode.NOT_FOUND


def test_motion_does_not_continue_after_motors_were_off(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(0.5)
    rig.controller.hold()
    rig.mode = MotorMode.DISABLED
    rig.run(0.1)
    rig.mode = MotorMode.ENABLED
    rig.run(0.1)
    assert refused(rig) is ErrorCode.NOT_FOUND


def test_slower_pace_slows_current_and_next_motion(rig: Rig) -> None:
    rig.play(DANCE)
    whole = seconds_of(rig)
    rig.play(DANCE)
    rig.run(0.2 * whole)
    rig.controller.change_pace(0.5, rig.now)
    assert seconds_of(rig) == pytest.approx(1.6 * whole, rel=0.1)
    rig.play(DANCE)
    assert seconds_of(rig) == pytest.approx(2.0 * whole, rel=0.1)


def test_faster_pace_stays_within_limits(rig: Rig) -> None:
    rig.controller.change_pace(FASTEST_PACE, rig.now)
    watch = CommandWatch()
    rig.play(DANCE)
    see(watch, rig, 1.0)
    rig.controller.change_pace(SLOWEST_PACE, rig.now)
    see(watch, rig, 1.0)
    rig.controller.change_pace(FASTEST_PACE, rig.now)
    see(watch, rig, 6.0)
    assert (watch.violations, watch.jumps) == (0, 0)


def test_pace_does_not_change_requested_duration(rig: Rig) -> None:
    rig.controller.change_pace(0.5, rig.now)
    rig.play(LEFT, duration=3.0)
    assert seconds_of(rig) == pytest.approx(3.0, abs=0.3)


def test_pace_does_not_change_goal(rig: Rig) -> None:
    rig.controller.change_pace(FASTEST_PACE, rig.now)
    rig.play(LEFT)
    rig.run(3.0)
    assert np.allclose(coordinates(rig.pose)[6], 1.0, atol=0.01)
