from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.motion.player import Activity
from reachy_agent_ros.motion.request import Gaze, Library, Named, plan
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.coordinates import BODY_YAW, HEAD_YAW, coordinates
from reachy_agent_ros.robot.finding import TargetVerdict
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.protocol import Measurement, MotorMode
from reachy_agent_ros.robot.sleep import sleep_posture
from reachy_agent_ros.robot.stream import TIMEOUT
from reachy_agent_ros.robot.target_validation import Target
from support.robot.rig import PERIOD, Rig

LEFT = Target(body_yaw=1.0)


@pytest.fixture
def rig() -> Rig:
    return Rig()


def refused(rig: Rig, wish: Target | Gaze | Named, **arguments: float) -> ErrorCode:
    with pytest.raises(AgentError) as refusal:
        rig.controller.execute(wish, "tools", rig.endings.append, **arguments)
    return refusal.value.code


def test_motion_succeeds_when_robot_reaches_goal(rig: Rig) -> None:
    rig.play(LEFT)
    assert (rig.controller.activity, rig.controller.commander) == (Activity.MOVING, "tools")
    rig.run(3.0)
    assert rig.codes() == [ErrorCode.NONE]
    assert rig.pose.body_yaw == pytest.approx(1.0, abs=0.01)
    assert (rig.controller.activity, rig.controller.commander) == (Activity.IDLE, "")


def test_cancelled_motion_stops_quickly_and_holds_pose(rig: Rig) -> None:
    playback = rig.play(LEFT)
    rig.run(0.5)
    at_cancel = rig.pose.body_yaw
    rig.controller.cancel(playback, AgentError(ErrorCode.CANCELED, "test"))
    rig.run(0.3)
    held = rig.pose.body_yaw
    assert at_cancel <= held < at_cancel + 0.2
    rig.run(1.0)
    assert rig.pose.body_yaw == pytest.approx(held)
    assert rig.codes() == [ErrorCode.CANCELED]


def test_cancelling_ended_motion_has_no_effect(rig: Rig) -> None:
    playback = rig.play(LEFT)
    rig.run(3.0)
    rig.controller.cancel(playback, AgentError(ErrorCode.CANCELED, "too late"))
    assert rig.codes() == [ErrorCode.NONE]


def test_newer_motion_of_same_commander_replaces_older_motion_without_jump(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(0.5)
    rig.play(Target(body_yaw=-1.0))
    before, velocity = coordinates(rig.pose), rig.controller.gate.state.velocity
    for _ in range(300):
        rig.run(PERIOD)
        after = coordinates(rig.pose)
        assert (np.abs((after - before) / PERIOD - velocity) <= ACCELERATION * PERIOD + 1e-6).all()
        before, velocity = after, (after - before) / PERIOD
    assert rig.codes() == [ErrorCode.PREEMPTED, ErrorCode.NONE]
    assert rig.pose.body_yaw == pytest.approx(-1.0, abs=0.01)


def test_rejects_motion_of_second_commander(rig: Rig) -> None:
    rig.play(LEFT)
    with pytest.raises(AgentError, match="in use by tools") as refusal:
        rig.play(Target(body_yaw=-1.0), commander="somebody")
    assert refusal.value.code is ErrorCode.COMMANDER_BUSY
    rig.stream(Target(body_yaw=-1.0))
    assert rig.reported()["commander"] is ErrorCode.COMMANDER_BUSY
    rig.run(3.0)
    assert rig.pose.body_yaw == pytest.approx(1.0, abs=0.01)


def test_follows_stream_and_holds_pose_when_it_ends(rig: Rig) -> None:
    for _ in range(50):
        rig.stream(Target(body_yaw=1.0))
        rig.run(PERIOD)
    assert rig.controller.activity is Activity.STREAMING
    moving = rig.pose.body_yaw
    rig.run(TIMEOUT + 0.3)
    assert rig.controller.activity is Activity.HOLDING
    assert rig.reported()["stream"] is ErrorCode.STALE_COMMAND
    held = rig.pose.body_yaw
    assert held >= moving
    rig.run(1.0)
    assert rig.pose.body_yaw == pytest.approx(held)


def test_ignores_targets_sent_during_stall(rig: Rig) -> None:
    rig.now += 5.0
    rig.stream(Target(head_transform(yaw=0.5)))
    rig.turn()
    rig.stream(Target(head_transform(yaw=0.5)))
    assert rig.reported() == {"stream": ErrorCode.STALE_COMMAND}
    rig.run(1.0)
    assert rig.controller.commander == ""
    rig.stream(Target(head_transform(yaw=0.5)))
    assert rig.controller.commander == "teleop"


def test_random_target_stream_stays_within_limits(rig: Rig) -> None:
    generator = np.random.default_rng(5)
    before, velocity = coordinates(rig.pose), np.zeros(9)
    for _ in range(300):
        rig.stream(Target(head_transform(*generator.normal(0.0, 1.0, 3)), tuple(generator.normal(0.0, 3.0, 2))))
        rig.run(PERIOD)
        after = coordinates(rig.pose)
        assert ((after >= LOW - 1e-9) & (after <= HIGH + 1e-9)).all()
        assert (np.abs(after - before) / PERIOD <= SPEED + 1e-6).all()
        assert (np.abs((after - before) / PERIOD - velocity) <= ACCELERATION * PERIOD + 1e-6).all()
        before, velocity = after, (after - before) / PERIOD


def test_limits_rate_of_targets_and_reports_excess_once_with_count(rig: Rig) -> None:
    for _ in range(2000):
        rig.stream(Target(body_yaw=0.5))
    reports = [report for report in rig.controller.reports.take() if report.finding.field == "rate"]
    assert [report.finding.code for report in reports] == [ErrorCode.RATE_EXCEEDED]
    assert reports[0].count > 1900


def test_emergency_stop_ends_motion_without_resuming(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(0.5)
    rig.controller.stop("test")
    held = rig.pose.body_yaw
    rig.run(1.0)
    assert rig.pose.body_yaw == pytest.approx(held)
    assert rig.codes() == [ErrorCode.EMERGENCY_STOPPED]
    assert rig.controller.activity is Activity.STOPPED
    assert refused(rig, LEFT) is ErrorCode.EMERGENCY_STOPPED
    assert refused(rig, Named(Library.EMOTION, "joy")) is ErrorCode.EMERGENCY_STOPPED
    rig.controller.release()
    rig.run(1.0)
    assert rig.pose.body_yaw == pytest.approx(held)
    rig.play(LEFT)
    rig.run(3.0)
    assert rig.codes() == [ErrorCode.EMERGENCY_STOPPED, ErrorCode.NONE]


def test_motion_fails_if_robot_does_not_move(rig: Rig) -> None:
    rig.deaf = True
    rig.play(LEFT)
    rig.run(3.0)
    assert rig.codes() == [ErrorCode.MOTION_IGNORED]
    assert rig.controller.reports.total(TargetVerdict.NOT_FOLLOWED) == 1


def test_motion_of_held_robot_ends_with_not_reached(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(0.8)
    rig.deaf = True
    rig.run(4.0)
    assert rig.codes() == [ErrorCode.NOT_REACHED]


def test_motion_times_out_after_its_time_limit(rig: Rig) -> None:
    rig.controller.execute(LEFT, "tools", rig.endings.append, duration=10.0, allowance=0.5)
    rig.run(0.6)
    assert rig.codes() == [ErrorCode.TIMEOUT]


def test_disabled_motors_reject_motion_and_hold_present_pose_when_enabled(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(0.5)
    rig.mode = MotorMode.DISABLED
    rig.run(0.1)
    assert rig.codes() == [ErrorCode.MOTORS_OFF]
    assert refused(rig, LEFT) is ErrorCode.MOTORS_OFF
    rig.stream(LEFT)
    assert rig.reported()["motors"] is ErrorCode.MOTORS_OFF
    rig.pose = BodyPose(body_yaw=-0.7)
    rig.run(0.1)
    rig.mode = MotorMode.ENABLED
    rig.run(0.5)
    assert rig.pose.body_yaw == pytest.approx(-0.7)


def test_motion_continues_from_measured_pose_after_reconnection(rig: Rig) -> None:
    rig.play(LEFT)
    rig.run(0.5)
    rig.controller.disconnected(AgentError(ErrorCode.ROBOT_DISCONNECTED, "unplugged"))
    assert rig.codes() == [ErrorCode.ROBOT_DISCONNECTED]
    assert refused(rig, LEFT) is ErrorCode.ROBOT_DISCONNECTED
    rig.pose = BodyPose(body_yaw=-0.5)
    rig.run(0.5)
    assert rig.pose.body_yaw == pytest.approx(-0.5)


def test_offsets_are_added_to_motion_and_fade_out(rig: Rig) -> None:
    for _ in range(20):
        rig.controller.offset(0, Offset(rotation=np.array([0.0, 0.1, 0.0])), rig.now)
        rig.run(PERIOD)
    assert coordinates(rig.pose)[4] == pytest.approx(0.1, abs=0.01)
    rig.run(1.0)
    assert coordinates(rig.pose)[4] == pytest.approx(0.0, abs=1e-6)


def turn_by_layer(rig: Rig, source: OffsetSource, yaw: float, seconds: float, last_stop: int = 0) -> None:
    """Sends the same offset at 100 Hz for some seconds."""
    for _ in range(round(seconds / PERIOD)):
        rig.controller.offset(source, Offset(rotation=np.array([0.0, 0.0, yaw])), rig.now, last_stop)
        rig.run(PERIOD)


@pytest.mark.slow
def test_hold_freezes_motion_layers(rig: Rig) -> None:
    turn_by_layer(rig, OffsetSource.FACE, 0.3, 1.0)
    rig.controller.hold()
    rig.run(1.0)  # face tracking gets no CPU time for so long
    turn_by_layer(rig, OffsetSource.FACE, -0.3, 0.3)  # and has not noticed the hold yet
    assert rig.controller.held
    assert rig.reported() == {"last_stop": ErrorCode.STALE_COMMAND}
    held = coordinates(rig.pose)[HEAD_YAW]
    assert held == pytest.approx(0.3, abs=0.02)
    rig.run(3.0)
    assert coordinates(rig.pose)[HEAD_YAW] == pytest.approx(held, abs=1e-3)


def test_next_motion_does_not_include_frozen_layers(rig: Rig) -> None:
    turn_by_layer(rig, OffsetSource.FACE, 0.3, 1.0)
    rig.controller.hold()
    rig.run(1.0)
    rig.play(Target(head=head_transform(pitch=0.1)))
    rig.run(3.0)
    values = coordinates(rig.pose)
    assert (values[4], values[HEAD_YAW]) == pytest.approx((0.1, 0.0), abs=0.02)


@pytest.mark.parametrize(
    ("source", "free"), [(OffsetSource.FACE, True), (OffsetSource.GAZE, True), (OffsetSource.SPEECH, False)]
)
def test_held_robot_follows_new_gaze_but_not_speech_offsets(rig: Rig, source: OffsetSource, free: bool) -> None:
    rig.controller.hold()
    rig.run(1.0)
    turn_by_layer(rig, source, 0.3, 1.0, rig.controller.last_stop)
    assert rig.controller.held is not free
    assert coordinates(rig.pose)[HEAD_YAW] == pytest.approx(0.3 if free else 0.0, abs=0.02)


def test_rejects_gaze_sent_before_emergency_stop(rig: Rig) -> None:
    turn_by_layer(rig, OffsetSource.FACE, 0.3, 1.0)
    before = rig.controller.last_stop
    rig.controller.stop("test")
    rig.run(1.0)
    rig.controller.release()
    turn_by_layer(rig, OffsetSource.FACE, -0.3, 2.0, before)
    assert coordinates(rig.pose)[HEAD_YAW] == pytest.approx(0.3, abs=0.02)
    turn_by_layer(rig, OffsetSource.FACE, -0.3, 2.0, rig.controller.last_stop)
    assert coordinates(rig.pose)[HEAD_YAW] == pytest.approx(0.0, abs=0.02)


def test_rejects_stream_that_continues_during_reset_until_it_pauses(rig: Rig) -> None:
    def send(target: Target, seconds: float) -> None:
        for _ in range(round(seconds / PERIOD)):
            rig.stream(target)
            rig.run(PERIOD)

    send(LEFT, 0.2)
    rig.controller.stop("test")
    send(LEFT, 0.5)
    stopped = rig.pose.body_yaw
    rig.controller.release()
    rig.reported()
    send(LEFT, 2.0)
    assert rig.pose.body_yaw == pytest.approx(stopped)
    assert rig.reported() == {"stream": ErrorCode.EMERGENCY_STOPPED}
    rig.run(TIMEOUT + 2.0 * PERIOD)
    send(LEFT, 3.0)
    assert rig.pose.body_yaw == pytest.approx(1.0, abs=0.01)
    assert rig.reported() == {}


def test_every_stop_changes_last_stop_number(rig: Rig) -> None:
    stops = [rig.controller.last_stop]
    for stop in (rig.controller.hold, rig.controller.hold, lambda: rig.controller.stop("test")):
        stop()
        stops.append(rig.controller.last_stop)
    assert stops[0] == 0
    assert len(set(stops)) == 4


def test_gaze_turns_head_and_body_toward_point(rig: Rig) -> None:
    rig.play(Gaze(np.array([0.2, 0.6, 0.2]), "base_link"))
    rig.run(3.0)
    assert rig.codes() == [ErrorCode.NONE]
    values = coordinates(rig.pose)
    assert values[HEAD_YAW] + values[BODY_YAW] == pytest.approx(math.atan2(0.6, 0.2), abs=0.02)
    assert values[BODY_YAW] > 0.2


@pytest.mark.parametrize("wish", [Named(Library.EMOTION, "joy", 0.5), Named(Library.DANCE, "simple_nod")])
def test_plays_named_move(rig: Rig, wish: Named) -> None:
    rig.play(wish)
    rig.run(1.0)
    assert np.abs(coordinates(rig.pose)).max() > 0.05
    rig.run(3.0)
    assert rig.codes() == [ErrorCode.NONE]


@pytest.mark.parametrize("wish", [Named(Library.GESTURE, "nod"), Named(Library.DANCE, "simple_nod")])
def test_plays_named_move_at_original_tempo_by_default(rig: Rig, wish: Named) -> None:
    durations = []
    for tempo in (1.0, 0.5):
        planned = plan(replace(wish, tempo=tempo), 0.0, rig.controller.gate, BodyPose())
        durations.append(planned.begin(MotionState(np.zeros(9), np.zeros(9))).duration)
    entrance = 2.0 * durations[0] - durations[1]  # the way to the start of the move, which the tempo does not change
    assert 0.0 <= entrance < durations[0] / 2.0


@pytest.mark.parametrize(
    ("wish", "arguments", "code"),
    [
        (Target(), {}, ErrorCode.INVALID_GOAL),
        (LEFT, {"duration": math.nan}, ErrorCode.INVALID_GOAL),
        (LEFT, {"duration": -1.0}, ErrorCode.INVALID_GOAL),
        (LEFT, {"allowance": math.inf}, ErrorCode.INVALID_GOAL),
        (Target(body_yaw=math.nan), {}, ErrorCode.NOT_FINITE),
        (Target(head=2.0 * np.eye(4)), {}, ErrorCode.NOT_RIGID),
        (Target(head=head_transform(z=0.2)), {}, ErrorCode.OUT_OF_ENVELOPE),
        (Named(Library.EMOTION, "envy"), {}, ErrorCode.UNKNOWN_MOVE),
        (Named(Library.DANCE, ""), {}, ErrorCode.UNKNOWN_MOVE),
        (Named(Library.DANCE, "simple_nod", 1.5), {}, ErrorCode.INVALID_GOAL),
        (Named(Library.DANCE, "simple_nod", tempo=2.5), {}, ErrorCode.INVALID_GOAL),
        (Named(Library.GESTURE, "nod", tempo=math.nan), {}, ErrorCode.INVALID_GOAL),
        (Gaze(np.array([-1.0, 0.0, 0.0]), "base_link"), {}, ErrorCode.OUT_OF_ENVELOPE),
    ],
)
def test_invalid_motion_request_does_not_move_robot(
    rig: Rig, wish: Target | Gaze | Named, arguments: dict[str, float], code: ErrorCode
) -> None:
    assert refused(rig, wish, **arguments) is code
    rig.run(0.5)
    assert np.allclose(coordinates(rig.pose), 0.0)


def test_rejects_motion_without_commander(rig: Rig) -> None:
    with pytest.raises(AgentError) as refusal:
        rig.play(LEFT, commander="")
    assert refusal.value.code is ErrorCode.INVALID_GOAL


def wobble_and_follow(rig: Rig) -> None:
    """Sends an offset for speech and an offset for face tracking, as in each period of a conversation."""
    nod = Offset(rotation=np.array([0.0, 0.1 * math.sin(20.0 * rig.now), 0.0]))
    rig.controller.offset(OffsetSource.SPEECH, nod, rig.now)
    rig.controller.offset(OffsetSource.FACE, Offset(rotation=np.array([0.0, 0.0, math.sin(2.0 * rig.now)])), rig.now)


@pytest.mark.parametrize("primary", ["dance", "stream", "breath"])
def test_emergency_stop_stops_all_motion_from_next_period(primary: str) -> None:
    rig = Rig(Breath(pause=0.2))
    if primary == "dance":
        rig.play(Named(Library.DANCE, "dizzy_spin"))

    def turn() -> None:
        wobble_and_follow(rig)
        if primary == "stream":
            rig.stream(Target(body_yaw=math.sin(rig.now)))
        rig.turn()

    for _ in range(200):
        before = coordinates(rig.pose)
        turn()
    assert np.abs(coordinates(rig.pose) - before).max() > 1e-4, "the robot moves"
    assert rig.controller.breathing is (primary == "breath")
    moving = coordinates(rig.pose)
    rig.controller.stop("test")
    for _ in range(100):
        turn()
        assert coordinates(rig.pose) == pytest.approx(moving, abs=1e-9)


@pytest.mark.parametrize("mode", [MotorMode.ENABLED, MotorMode.DISABLED])
def test_robot_wakes_up_from_sleep_posture_without_jump(mode: MotorMode) -> None:
    controller, watch, pose, now = MotionController(), CommandWatch(), sleep_posture(), 100.0
    for turn in range(200):
        now += PERIOD
        measured = Measurement(now, pose, {}, motor_mode=mode if turn < 3 else MotorMode.ENABLED)
        command = controller.cycle(measured, now, PERIOD)
        watch.see(command, PERIOD, stopped=False)
        pose = command or pose
    assert not np.allclose(pose.head, sleep_posture().head, atol=0.001)
    assert (watch.violations, watch.jumps) == (0, 0)
