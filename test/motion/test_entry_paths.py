"""Tests that the limits apply to motion requests from every source, in the frame of the gate.

The limits are in `support.robot.limits`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Vector, head_transform, matrix_from_rotation_vector
from reachy_agent_ros.motion.dance import dance, dances
from reachy_agent_ros.motion.emotion import emotion, emotions
from reachy_agent_ros.motion.gaze import gaze_at
from reachy_agent_ros.motion.gesture import Gesture, gestures
from reachy_agent_ros.motion.offset import LARGEST_SHIFT, LARGEST_SWAY, LARGEST_TURN, Offset, OffsetSource
from reachy_agent_ros.motion.recorded_move import MovePlayback, RecordedMove
from reachy_agent_ros.motion.request import Gaze, Library, Named, fitted, plan
from reachy_agent_ros.robot.coordinates import BODY_YAW, NAMES, coordinates, posture
from reachy_agent_ros.robot.finding import Finding, TargetVerdict
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.protocol import MotorMode
from reachy_agent_ros.robot.target_validation import Target
from reachy_agent_ros.robot.workspace import Workspace
from support.cases import mostly_nightly, share_of_examples
from support.robot.limits import ROUNDING, assert_changes_are_reported, assert_within_limits
from support.robot.rig import PERIOD, Rig

CORNER = head_transform(yaw=2.4435, x=0.045, y=0.04, z=-0.02)
"""Target within the limits of a body that faces forward, but outside those of a body that turns for the neck."""

WORKSPACE = Workspace()

edges = st.sampled_from([-0.045, 0.045]) | st.floats(-0.045, 0.045)
tilts = st.just(0.0) | st.floats(-0.9, 0.9)
heads = st.builds(head_transform, tilts, tilts, st.floats(-3.2, 3.2), edges, edges, st.floats(-0.05, 0.022))
"""Includes corners of x and y with every yaw: the body turns with the head, and the limits turn with the body."""

pairs = st.none() | st.tuples(st.floats(-3.5, 3.5), st.floats(-3.5, 3.5))
targets = st.builds(Target, st.none() | heads | heads, pairs, st.none() | st.none() | st.floats(-3.2, 3.2)).filter(
    lambda target: not target.empty
)


def coordinate_rows(scale: float) -> st.SearchStrategy[Vector]:
    return st.tuples(*(st.floats(scale * low, scale * high) for low, high in zip(LOW, HIGH, strict=True))).map(np.array)


reachable = coordinate_rows(1.0).map(lambda values: posture(WORKSPACE.nearest(values)))
"""Possible poses of the primary motion."""

anywhere = coordinate_rows(1.2).map(posture)
"""Possible poses of a robot whose motors are off."""


def at_rest(pose: BodyPose) -> MotionState:
    return MotionState(coordinates(pose), np.zeros(9))


def taken(rig: Rig) -> list[Finding]:
    return [report.finding for report in rig.controller.reports.take()]


def refused(findings: Sequence[Finding]) -> bool:
    return any(finding.verdict is TargetVerdict.REFUSED for finding in findings)


@pytest.mark.slow
@given(targets, reachable)
def test_motion_goal_ends_within_limits_and_reports_changes(target: Target, present: BodyPose) -> None:
    try:
        planned = plan(target, 0.0, SafetyGate(), present)
    except AgentError:
        return
    move = planned.begin(at_rest(present))
    goal = move.at(move.duration)
    assert_within_limits(goal)
    assert_changes_are_reported(target, present, goal, planned.findings)


@pytest.mark.slow
@given(st.floats(-2.8, 2.8), reachable)
def test_head_turns_together_with_body(body_yaw: float, present: BodyPose) -> None:
    planned = plan(Target(body_yaw=body_yaw), 0.0, SafetyGate(), present)
    move = planned.begin(at_rest(present))
    goal = coordinates(move.at(move.duration))
    assert_within_limits(posture(goal))
    assert goal[:BODY_YAW] == pytest.approx(coordinates(present)[:BODY_YAW], abs=ROUNDING)
    assert goal[BODY_YAW] == pytest.approx(np.clip(body_yaw, LOW[BODY_YAW], HIGH[BODY_YAW]), abs=ROUNDING)


@pytest.mark.slow
@given(st.floats(0.01, 3.0), st.floats(-3.0, 3.0), st.floats(-1.0, 2.0), reachable)
def test_gaze_ends_within_limits_and_reports_changes(x: float, y: float, z: float, present: BodyPose) -> None:
    point = np.array([x, y, z])
    try:
        planned = plan(Gaze(point, "head_base"), 0.0, SafetyGate(), present)
    except AgentError:
        return
    move = planned.begin(at_rest(present))
    goal = move.at(move.duration)
    assert_within_limits(goal)
    assert_changes_are_reported(Target(gaze_at(point, "head_base")), present, goal, planned.findings)


@pytest.mark.slow
@given(st.lists(targets, min_size=1, max_size=5))
def test_streamed_target_is_followed_within_limits_and_reports_changes(stream: list[Target]) -> None:
    rig = Rig()
    for target in stream:
        present = rig.controller.posture
        rig.stream(target)
        findings = taken(rig)
        rig.turn()
        assert_within_limits(rig.pose)
        if not refused(findings):
            assert_within_limits(rig.controller.posture)
            assert_changes_are_reported(target, present, rig.controller.posture, findings)


@pytest.mark.slow
@given(targets, anywhere)
def test_teach_target_stays_within_limits_and_reports_changes(target: Target, measured: BodyPose) -> None:
    rig = Rig()
    rig.mode, rig.pose = MotorMode.DISABLED, measured
    rig.turn()
    taken(rig)
    led = rig.controller.teach(target, "teacher")
    findings = taken(rig)
    assert (led is None) == refused(findings)
    if led is not None:
        assert_within_limits(led)
        assert_changes_are_reported(target, measured, led, findings)


def test_teach_target_in_corner_is_shifted_into_limits_of_turned_body() -> None:
    rig = Rig()
    rig.mode = MotorMode.DISABLED
    rig.turn()
    led = rig.controller.teach(Target(CORNER), "teacher")
    assert led is not None
    assert_within_limits(led)
    assert [finding.field for finding in taken(rig)] == ["head.x", "head.y"]


def test_motion_goal_in_corner_succeeds_and_reports_shift() -> None:
    rig = Rig()
    _, findings = rig.controller.execute(Target(CORNER), "tools", rig.endings.append)
    rig.run(4.0)
    assert rig.codes() == [ErrorCode.NONE]
    assert [finding.field for finding in findings] == ["head.x", "head.y"]
    assert [finding.applied for finding in findings] == pytest.approx(rig.pose.head[:2, 3], abs=1e-3)


@st.composite
def modest_offsets(draw: st.DrawFn) -> tuple[OffsetSource, Offset]:
    """Generates a source and an offset in any direction, up to the maximum size for the source."""
    source = draw(st.sampled_from(OffsetSource))
    ways = [np.array(draw(st.tuples(*(st.floats(-1.0, 1.0),) * 3))) for _ in range(2)]
    shift, turn = (way / max(1.0, float(np.linalg.norm(way))) for way in ways)
    sway = draw(st.floats(-LARGEST_SWAY, LARGEST_SWAY))
    return source, Offset(0.99 * LARGEST_SHIFT * shift, 0.99 * LARGEST_TURN[source] * turn, sway, -sway)


@pytest.mark.slow
@settings(max_examples=share_of_examples(0.4), deadline=None)
@given(reachable, modest_offsets())
def test_offset_stays_within_limits_and_reports_reduction(
    primary: BodyPose, layer: tuple[OffsetSource, Offset]
) -> None:
    rig = Rig()
    rig.pose = primary
    rig.controller.disconnected(AgentError(ErrorCode.ROBOT_DISCONNECTED, "It is found again where it is."))
    rig.turn()
    taken(rig)
    source, offset = layer
    for _ in range(80):
        rig.controller.offset(source, offset, rig.now)
        rig.turn()
        assert_within_limits(rig.pose)
    findings = taken(rig)
    if not findings:
        added = np.eye(4)
        added[:3, :3] = matrix_from_rotation_vector(offset.rotation)
        added[:3, 3] = offset.translation
        assert np.allclose(rig.pose.head, primary.head @ added, atol=1e-3)
    for finding in findings:
        assert (finding.field, finding.verdict, finding.requested) == ("offset", TargetVerdict.CLAMPED, 1.0)
        assert 0.0 <= finding.applied < 1.0
        assert (
            finding.message
            == f"Only {finding.applied:.0%} of the offset of {source.name} fits within the limits and is used."
        )


@pytest.mark.slow
@given(
    st.lists(coordinate_rows(0.5) | coordinate_rows(3.0), min_size=2, max_size=4),
    st.floats(0.05, 0.3),
    st.sampled_from([1.0, 0.5]),
)
def test_recorded_move_plays_within_limits_and_reports_changes(
    keyframes: list[Vector], period: float, amplitude: float
) -> None:
    move = RecordedMove("test", period * np.arange(len(keyframes)), np.array(keyframes))
    played, findings = fitted(move, amplitude)
    assert played.duration == pytest.approx(move.duration)
    changes = np.zeros(9)
    for time in np.linspace(0.0, move.duration, math.ceil(move.duration / PERIOD) + 1):
        assert_within_limits(played.at(time))
        wanted = amplitude * move.coordinates_at(time)
        changes = np.maximum(changes, np.abs(wanted - played.coordinates_at(time)))
    assert {finding.field for finding in findings} == {NAMES[index] for index in np.flatnonzero(changes > ROUNDING)}
    for finding in findings:
        change = changes[NAMES.index(finding.field)]
        assert abs(finding.applied - finding.requested) == pytest.approx(change)
        assert finding.verdict is TargetVerdict.CLAMPED


@pytest.mark.parametrize("amplitude", [1.0, 0.6])
@pytest.mark.parametrize("name", mostly_nightly([*emotions(), *dances()], one_in=3))
def test_built_in_move_is_not_changed_by_limits(name: str, amplitude: float) -> None:
    move = emotion(name) if name in emotions() else dance(name)
    played, findings = fitted(move, amplitude)
    assert not findings
    assert np.allclose(played.keyframes, amplitude * move.keyframes)


@pytest.mark.parametrize("heading", [-160.0, 0.0, 160.0])
@pytest.mark.parametrize("name", emotions())
def test_built_in_move_stays_within_limits_for_any_body_yaw(name: str, heading: float) -> None:
    turned = BodyPose(head_transform(yaw=np.radians(heading)), body_yaw=float(np.radians(heading)))
    performance = MovePlayback(emotion(name), at_rest(turned))
    for time in np.arange(0.0, performance.duration, 0.05):
        assert_within_limits(performance.at(float(time)))


@pytest.mark.slow
@given(st.sampled_from(gestures()), reachable)
def test_gesture_stays_within_limits_for_any_gaze(name: str, present: BodyPose) -> None:
    move = Gesture(name, coordinates(present)).begin(at_rest(present))
    for time in np.arange(0.0, move.duration + 0.1, 0.1):
        assert_within_limits(move.at(float(time)))


def test_move_beyond_limits_is_clamped_and_reported(tmp_path: Path) -> None:
    frames = [{"head": head_transform(pitch=pitch).tolist(), "antennas": [0.0, 0.0]} for pitch in (0.0, 0.95, 0.9)]
    recording = {"description": "Looks down further than it can.", "time": [0.0, 1.0, 2.0], "set_target_data": frames}
    (tmp_path / "wide.json").write_text(json.dumps(recording))
    rig = Rig()
    _, findings = rig.controller.execute(Named(Library.RECORDED, "wide", 1.0, tmp_path), "tools", rig.endings.append)
    (finding,) = findings
    assert (finding.field, finding.requested, finding.applied) == (
        "head.pitch",
        pytest.approx(0.95),
        pytest.approx(0.605, abs=1e-3),
    )
    assert finding.message == "head.pitch of 54.4 deg was clamped to 34.7 deg, 1.00 s into the move."
    assert taken(rig) == [finding]
    rig.run(4.0)
    assert rig.codes() == [ErrorCode.NONE]
    assert coordinates(rig.pose)[4] == pytest.approx(finding.applied, abs=0.01)
