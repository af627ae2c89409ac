import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, head_transform, rpy_from_matrix
from reachy_agent_ros.robot.coordinates import BODY_YAW, HEAD_YAW, coordinates, posture
from reachy_agent_ros.robot.finding import TargetError, TargetVerdict
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.sleep import sleep_posture
from reachy_agent_ros.robot.target_validation import Target, TargetValidator
from support.robot.limits import assert_changes_are_reported, assert_within_limits

NEUTRAL = BodyPose()
admission = TargetValidator()


def refused(target: Target) -> TargetError:
    with pytest.raises(TargetError) as refusal:
        admission.admit(target, NEUTRAL)
    return refusal.value


translations = st.sampled_from([-0.045, 0.045]) | st.floats(-0.045, 0.045) | st.floats(-0.06, 0.06)
"""Includes corners of x and y, which are up to sqrt(2) times further out in the frame of a turning body."""

tilts = st.just(0.0) | st.floats(-3.2, 3.2)
heads = st.builds(head_transform, tilts, tilts, st.floats(-3.2, 3.2), *(translations,) * 3)
corners = st.builds(
    head_transform,
    *(st.just(0.0) | st.floats(-0.3, 0.3),) * 2,
    st.floats(-3.2, 3.2),
    *(st.sampled_from([-0.045, 0.045]),) * 2,
    st.floats(-0.05, 0.0),
)

presents = st.just(NEUTRAL) | st.builds(
    posture, st.tuples(*(st.floats(1.2 * low, 1.2 * high) for low, high in zip(LOW, HIGH, strict=True)))
)
"""Present postures, some slightly beyond the limits, as when the motors are off."""


@settings(max_examples=500, deadline=None)
@given(
    st.none() | heads | corners | corners,
    st.none() | st.tuples(st.floats(), st.floats()),
    st.none() | st.none() | st.floats() | st.floats(-3.2, 3.2),
    presents,
)
def test_admitted_pose_is_within_limits_and_changes_are_reported(
    head: Matrix | None, antennas: tuple[float, float] | None, body_yaw: float | None, present: BodyPose
) -> None:
    target = Target(head, antennas, body_yaw)
    try:
        admitted = admission.admit(target, present)
    except TargetError:
        return
    assert_within_limits(admitted.pose)
    assert_changes_are_reported(target, present, admitted.pose, admitted.findings)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["head", "body_yaw", "antenna_left", "antenna_right"])
def test_error_for_non_finite_number_names_field(field: str, bad: float) -> None:
    targets = {
        "head": Target(head=head_transform(x=bad)),
        "body_yaw": Target(body_yaw=bad),
        "antenna_left": Target(antennas=(0.0, bad)),
        "antenna_right": Target(antennas=(bad, 0.0)),
    }
    error = refused(targets[field])
    assert (error.code, error.field) == (ErrorCode.NOT_FINITE, field)


@pytest.mark.parametrize("rotation", [2.0 * np.eye(3), np.diag([1.0, 1.0, -1.0]), np.zeros((3, 3))])
def test_rejects_orientation_that_is_not_a_rotation(rotation: np.ndarray) -> None:
    head = np.eye(4)
    head[:3, :3] = rotation
    assert refused(Target(head=head)).code is ErrorCode.NOT_RIGID


def test_slightly_too_large_angle_is_clamped_and_reported() -> None:
    admitted = admission.admit(Target(head=head_transform(roll=math.radians(60.0))), NEUTRAL)
    (finding,) = admitted.findings
    assert (finding.field, finding.verdict) == ("head.roll", TargetVerdict.CLAMPED)
    assert math.isclose(finding.requested, math.radians(60.0))
    assert math.isclose(rpy_from_matrix(admitted.pose.head)[0], math.radians(40.0))


@pytest.mark.parametrize("body_yaw", [None, 0.0])
def test_tilt_that_makes_head_touch_body_is_reduced_and_reported(body_yaw: float | None) -> None:
    admitted = admission.admit(Target(head=head_transform(pitch=math.radians(40.0)), body_yaw=body_yaw), NEUTRAL)
    (finding,) = admitted.findings
    assert (finding.field, finding.verdict) == ("head.pitch", TargetVerdict.CLAMPED)
    assert rpy_from_matrix(admitted.pose.head)[1] == pytest.approx(math.radians(34.5), abs=math.radians(1.0))
    assert admission.workspace.contains(admitted.pose)


def test_angles_at_which_head_would_sag_are_reduced_and_reported() -> None:
    """Regression test: in this posture, the head once sagged by 15 degrees, and the next move began with a jolt."""
    wanted = head_transform(roll=math.radians(31.0), pitch=math.radians(29.0), y=0.015)
    admitted = admission.admit(Target(head=wanted, body_yaw=0.0), NEUTRAL)
    assert [finding.field for finding in admitted.findings] == ["head.roll", "head.pitch"]
    assert {finding.verdict for finding in admitted.findings} == {TargetVerdict.CLAMPED}
    assert admission.workspace.contains(admitted.pose)


def test_neck_turn_is_clamped_to_its_limit() -> None:
    admitted = admission.admit(Target(head=head_transform(yaw=math.radians(65.0)), body_yaw=0.0), NEUTRAL)
    (finding,) = admitted.findings
    assert (finding.field, finding.verdict) == ("head.yaw", TargetVerdict.CLAMPED)
    assert finding.applied == pytest.approx(math.radians(60.7), abs=math.radians(1.0))
    assert admission.workspace.contains(admitted.pose)


@pytest.mark.parametrize("body_yaw", [None, 0.0])
def test_rejects_shift_that_makes_upright_head_touch_body(body_yaw: float | None) -> None:
    """Regression: this target once tipped the head by 51 degrees, and the return to neutral tipped it by 89 degrees."""
    error = refused(Target(head=head_transform(x=0.045, y=0.042, z=-0.05), body_yaw=body_yaw))
    assert (error.code, error.field) == (ErrorCode.UNREACHABLE, "head")
    assert "too close to the body" in error.message


@pytest.mark.parametrize(
    ("target", "field"),
    [
        (Target(head=head_transform(roll=math.radians(100.0))), "head.roll"),
        (Target(head=head_transform(z=0.1)), "head.z"),
        (Target(head=head_transform(x=20.0)), "head.x"),
        (Target(head=head_transform(), body_yaw=math.radians(100.0)), "head.yaw"),
        (Target(body_yaw=math.radians(200.0)), "body_yaw"),
        (Target(antennas=(10.0, 0.0)), "antenna_right"),
    ],
)
def test_error_for_value_far_beyond_limit_names_field(target: Target, field: str) -> None:
    error = refused(target)
    assert (error.code, error.field) == (ErrorCode.OUT_OF_ENVELOPE, field)


def test_rejects_posture_within_limits_that_arms_cannot_reach() -> None:
    head = head_transform(roll=math.radians(40.0), pitch=math.radians(40.0))
    assert refused(Target(head=head, body_yaw=0.0)).code is ErrorCode.UNREACHABLE


def test_body_turns_by_excess_over_comfortable_neck_range() -> None:
    pose = admission.admit(Target(head=head_transform(yaw=math.radians(90.0))), NEUTRAL).pose
    assert math.isclose(math.degrees(pose.body_yaw), 45.0)
    assert math.isclose(rpy_from_matrix(pose.head)[2], math.radians(90.0))


def test_body_turns_farther_if_arms_require_it() -> None:
    pose = admission.admit(Target(head=head_transform(yaw=math.radians(45.0), pitch=math.radians(40.0))), NEUTRAL).pose
    assert pose.body_yaw > 0.0


@pytest.mark.parametrize(("pitch", "neck"), [(-30.0, 45.0), (10.0, 35.0), (25.0, 10.0)])
def test_neck_turns_less_while_head_looks_down(pitch: float, neck: float) -> None:
    head = head_transform(yaw=math.radians(80.0), pitch=math.radians(pitch))
    pose = admission.admit(Target(head=head), NEUTRAL).pose
    assert math.degrees(coordinates(pose)[HEAD_YAW]) == pytest.approx(neck, abs=0.01)


def test_body_does_not_turn_if_neck_suffices() -> None:
    assert admission.admit(Target(head=head_transform(yaw=0.5)), NEUTRAL).pose.body_yaw == 0.0


def test_head_turns_with_body() -> None:
    present = BodyPose(head_transform(yaw=0.3, pitch=0.2))
    pose = admission.admit(Target(body_yaw=1.0), present).pose
    assert np.allclose(rpy_from_matrix(pose.head), (0.0, 0.2, 1.3))
    assert math.isclose(coordinates(pose)[HEAD_YAW], 0.3)


def test_antenna_target_changes_only_antennas() -> None:
    present = BodyPose(head_transform(pitch=0.3), 0.1, 0.2, 0.4)
    pose = admission.admit(Target(antennas=(0.5, -0.5)), present).pose
    assert np.allclose(pose.head, present.head)
    assert (pose.body_yaw, pose.antenna_right, pose.antenna_left) == (0.4, 0.5, -0.5)


def test_body_turns_to_same_side_as_head() -> None:
    pose = admission.admit(Target(head=head_transform(yaw=math.radians(-90.0))), NEUTRAL).pose
    assert math.isclose(math.degrees(pose.body_yaw), -45.0)


def test_body_turns_only_as_far_as_arms_require() -> None:
    head = head_transform(yaw=math.radians(40.0), pitch=math.radians(-25.0), roll=math.radians(35.0))
    body_yaw = admission.admit(Target(head=head), NEUTRAL).pose.body_yaw
    assert body_yaw > 0.0
    less = admission.admit(Target(head=head, body_yaw=body_yaw - math.radians(5.1)), NEUTRAL)
    assert {"head.roll", "head.pitch"} <= {finding.field for finding in less.findings}


def test_rotation_tolerance_accepts_quaternion_rounded_to_three_decimals() -> None:
    head = np.eye(4)
    head[:3, :3] *= math.sqrt(1.009)
    assert admission.admit(Target(head=head), NEUTRAL)
    head[:3, :3] = np.eye(3) * math.sqrt(1.011)
    assert refused(Target(head=head)).code is ErrorCode.NOT_RIGID


@pytest.mark.parametrize("shape", [(3, 3), (3, 4), (4, 3)])
def test_rejects_matrix_of_wrong_shape(shape: tuple[int, int]) -> None:
    assert refused(Target(head=np.eye(*shape))).code is ErrorCode.NOT_RIGID


@pytest.mark.parametrize("yaw", [math.pi, -math.pi])
def test_half_turn_of_body_is_clamped_to_limit(yaw: float) -> None:
    admitted = admission.admit(Target(body_yaw=yaw), NEUTRAL)
    assert math.degrees(admitted.pose.body_yaw) == pytest.approx(math.copysign(160.0, yaw))
    (finding,) = admitted.findings
    assert (finding.requested, math.degrees(finding.applied)) == (yaw, pytest.approx(math.copysign(160.0, yaw)))


def test_accepts_target_value_at_limit() -> None:
    assert not admission.admit(Target(body_yaw=float(HIGH[BODY_YAW])), NEUTRAL).findings


def test_rejection_names_value_and_limits_in_mm_and_deg() -> None:
    error = refused(Target(head=head_transform(z=0.1)))
    assert error.message.startswith("head.z of 100.0 mm is beyond its limits, -50.0 mm to 22.0 mm")
    assert (error.field, error.requested) == ("head.z", pytest.approx(0.1))
    assert "body_yaw of 200.0 deg" in refused(Target(body_yaw=math.radians(200.0))).message
    report = error.finding()
    assert (report.verdict, report.code, report.field) == (TargetVerdict.REFUSED, ErrorCode.OUT_OF_ENVELOPE, "head.z")


def test_target_is_empty_only_if_it_sets_no_field() -> None:
    assert Target().empty
    assert not any(target.empty for target in (Target(np.eye(4)), Target(antennas=(0.0, 0.0)), Target(body_yaw=0.0)))


def deg_target(yaw: float, x: float, y: float, z: float, pitch: float = 0.0) -> Target:
    """Returns a target in which the body may turn. The arguments are in degrees and millimeters."""
    head = head_transform(pitch=math.radians(pitch), yaw=math.radians(yaw), x=x / 1e3, y=y / 1e3, z=z / 1e3)
    return Target(head=head)


def test_head_is_shifted_into_limits_of_turned_body_and_both_axes_are_reported() -> None:
    admitted = admission.admit(deg_target(140.0, 45.0, 40.0, -20.0), NEUTRAL)
    assert_within_limits(admitted.pose)
    first, second = admitted.findings
    assert (first.field, second.field) == ("head.x", "head.y")
    assert (first.requested, second.requested) == (0.045, 0.04)
    assert (first.applied, second.applied) == pytest.approx(tuple(admitted.pose.head[:2, 3]))
    turn = f"{math.degrees(admitted.pose.body_yaw):.1f} deg"
    assert first.message.startswith("head.x of 45.0 mm was clamped to ")
    assert first.message.endswith(f" mm, because the body turns by {turn}.")


def test_prefers_body_turn_that_keeps_head_position() -> None:
    target = deg_target(100.0, 40.0, 0.0, -14.0)
    admitted = admission.admit(target, NEUTRAL)
    assert not admitted.findings
    assert np.allclose(admitted.pose.head, target.head)
    assert math.degrees(admitted.pose.body_yaw) == pytest.approx(80.0)  # for the neck alone, 55 deg would suffice


def test_body_turns_as_far_as_head_if_smaller_turns_are_invalid() -> None:
    admitted = admission.admit(deg_target(120.0, 20.0, 20.0, -22.0), NEUTRAL)
    assert not admitted.findings
    assert math.degrees(admitted.pose.body_yaw) == pytest.approx(120.0)


def test_selects_body_turn_that_shifts_head_least() -> None:
    target = deg_target(140.0, 45.0, 40.0, -20.0)
    admitted = admission.admit(target, NEUTRAL)
    shift = math.dist(admitted.pose.head[:3, 3], target.head[:3, 3])
    for body in np.radians(np.arange(95.0, 141.0, 5.0)):
        values = coordinates(BodyPose(target.head, body_yaw=float(body)))
        bounded = np.clip(values, LOW, HIGH)
        if admission.workspace.holds(bounded):
            assert shift <= math.dist(values[:3], bounded[:3]) + 1e-9
    assert 0.0 < shift < 0.02


@pytest.mark.parametrize(
    ("target", "code"),
    [
        (deg_target(166.8, 45.0, 45.0, -2.1), ErrorCode.OUT_OF_ENVELOPE),
        (deg_target(180.0, 45.0, 45.0, -10.0), ErrorCode.OUT_OF_ENVELOPE),
        (deg_target(90.0, 45.0, 45.0, 0.0), ErrorCode.UNREACHABLE),
        (deg_target(0.0, 0.0, 0.0, 22.0, pitch=40.0), ErrorCode.UNREACHABLE),
    ],
)
def test_rejects_target_that_is_invalid_for_every_body_turn(target: Target, code: ErrorCode) -> None:
    error = refused(target)
    assert (error.code, error.field) == (code, "head")


def test_rejection_names_head_position_if_no_body_turn_is_valid() -> None:
    message = refused(deg_target(166.8, 45.0, 45.0, -2.1)).message
    assert "x 45.0 mm and y 45.0 mm, turned by 166.8 deg" in message


@given(corners, presents)
def test_admitted_pose_is_independent_of_present_pose(head: Matrix, present: BodyPose) -> None:
    antennas = (0.0, 0.0)
    try:
        admitted = admission.admit(Target(head, antennas), NEUTRAL)
    except TargetError as refusal:
        with pytest.raises(TargetError, match=re.escape(refusal.message)):
            admission.admit(Target(head, antennas), present)
        return
    again = admission.admit(Target(head, antennas), present)
    assert np.array_equal(coordinates(admitted.pose), coordinates(again.pose))
    assert admitted.findings == again.findings


def test_clamped_body_turn_keeps_head_position() -> None:
    target = Target(head=head_transform(yaw=math.radians(165.0)), body_yaw=math.radians(170.0))
    admitted = admission.admit(target, NEUTRAL)
    assert np.allclose(admitted.pose.head, target.head)
    assert [finding.field for finding in admitted.findings] == ["body_yaw"]


def test_head_limits_apply_in_frame_of_requested_body_yaw() -> None:
    head = head_transform(yaw=math.radians(45.0), x=0.045, y=0.045, z=-0.04)
    error = refused(Target(head=head, body_yaw=math.radians(45.0)))
    assert (error.code, error.field, error.requested) == (
        ErrorCode.OUT_OF_ENVELOPE,
        "head.x",
        pytest.approx(0.0636, abs=1e-4),
    )
    assert error.message.endswith("-45.0 mm to 45.0 mm, in the frame of a body turned by 45.0 deg.")


def test_unset_field_outside_limits_is_clamped_and_reported() -> None:
    present = BodyPose(head_transform(x=0.06), 3.5, 0.0, math.radians(165.0))
    admitted = admission.admit(Target(antennas=(0.1, 0.2)), present)
    assert_within_limits(admitted.pose)
    assert_changes_are_reported(Target(antennas=(0.1, 0.2)), present, admitted.pose, admitted.findings)
    assert {finding.field for finding in admitted.findings} >= {"head.x", "body_yaw"}


def test_antenna_target_lifts_head_of_sleeping_robot_into_workspace() -> None:
    asleep = sleep_posture()
    pose = admission.admit(Target(antennas=(0.1, 0.2)), asleep).pose
    assert_within_limits(pose)
    assert admission.workspace.contains(pose)
    assert pose.head[2, 3] < -0.02


def test_rejects_target_while_present_posture_is_not_finite() -> None:
    with pytest.raises(TargetError) as refusal:
        admission.admit(Target(antennas=(0.1, 0.2)), BodyPose(body_yaw=math.nan))
    assert (refusal.value.code, refusal.value.field) == (ErrorCode.NOT_FINITE, "present")
