import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform, rpy_from_matrix
from reachy_agent_ros.robot.admission import Admission, Target
from reachy_agent_ros.robot.coordinates import BODY_YAW, HEAD_YAW, coordinates
from reachy_agent_ros.robot.envelope import HIGH, LOW
from reachy_agent_ros.robot.finding import TargetError, Verdict

NEUTRAL = BodyPose()
admission = Admission()


def refused(target: Target) -> TargetError:
    with pytest.raises(TargetError) as refusal:
        admission.admit(target, NEUTRAL)
    return refusal.value


@settings(max_examples=300, deadline=None)
@given(
    st.none() | st.builds(head_transform, *(st.floats(-3.2, 3.2),) * 3, *(st.floats(-0.06, 0.06),) * 3),
    st.none() | st.tuples(st.floats(), st.floats()),
    st.none() | st.floats(),
)
def test_what_is_admitted_is_within_the_envelope_and_what_changed_is_reported(head, antennas, body_yaw) -> None:
    try:
        admitted = admission.admit(Target(head, antennas, body_yaw), NEUTRAL)
    except TargetError:
        return
    values = coordinates(admitted.pose)
    assert ((values >= LOW - 1e-9) & (values <= HIGH + 1e-9)).all()
    if body_yaw is not None and abs(values[BODY_YAW] - body_yaw) > 1e-6:
        assert [finding.applied for finding in admitted.findings if finding.field == "body_yaw"] == [values[BODY_YAW]]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["head", "body_yaw", "antenna_left", "antenna_right"])
def test_a_number_that_is_not_finite_is_refused_by_name(field: str, bad: float) -> None:
    targets = {
        "head": Target(head=head_transform(x=bad)),
        "body_yaw": Target(body_yaw=bad),
        "antenna_left": Target(antennas=(0.0, bad)),
        "antenna_right": Target(antennas=(bad, 0.0)),
    }
    error = refused(targets[field])
    assert (error.code, error.field) == (ErrorCode.NOT_FINITE, field)


@pytest.mark.parametrize("rotation", [2.0 * np.eye(3), np.diag([1.0, 1.0, -1.0]), np.zeros((3, 3))])
def test_an_orientation_that_is_no_rotation_is_refused(rotation: np.ndarray) -> None:
    head = np.eye(4)
    head[:3, :3] = rotation
    assert refused(Target(head=head)).code is ErrorCode.NOT_RIGID


def test_an_angle_a_little_too_large_is_clamped_and_reported() -> None:
    admitted = admission.admit(Target(head=head_transform(pitch=math.radians(60.0))), NEUTRAL)
    (finding,) = admitted.findings
    assert (finding.field, finding.verdict) == ("head.pitch", Verdict.CLAMPED)
    assert math.isclose(finding.requested, math.radians(60.0))
    assert math.isclose(rpy_from_matrix(admitted.pose.head)[1], math.radians(40.0))


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
def test_a_value_far_beyond_its_limit_is_refused_by_name(target: Target, field: str) -> None:
    error = refused(target)
    assert (error.code, error.field) == (ErrorCode.OUT_OF_ENVELOPE, field)


def test_a_posture_the_arms_do_not_reach_is_refused_though_each_number_is_fine() -> None:
    head = head_transform(roll=math.radians(40.0), pitch=math.radians(40.0))
    assert refused(Target(head=head, body_yaw=0.0)).code is ErrorCode.UNREACHABLE


def test_the_body_turns_what_the_neck_should_not() -> None:
    pose = admission.admit(Target(head=head_transform(yaw=math.radians(90.0))), NEUTRAL).pose
    assert math.isclose(math.degrees(pose.body_yaw), 45.0)
    assert math.isclose(rpy_from_matrix(pose.head)[2], math.radians(90.0))


def test_the_body_turns_further_when_the_arms_need_it() -> None:
    pose = admission.admit(Target(head=head_transform(yaw=math.radians(45.0), pitch=math.radians(40.0))), NEUTRAL).pose
    assert pose.body_yaw > 0.0


@pytest.mark.parametrize(("pitch", "neck"), [(-30.0, 45.0), (10.0, 45.0), (25.0, 25.0), (40.0, 0.0)])
def test_a_head_that_looks_down_is_twisted_less_because_its_chin_would_meet_the_body(pitch: float, neck: float) -> None:
    head = head_transform(yaw=math.radians(80.0), pitch=math.radians(pitch))
    pose = admission.admit(Target(head=head), NEUTRAL).pose
    assert math.degrees(coordinates(pose)[HEAD_YAW]) == pytest.approx(neck, abs=0.01)


def test_the_body_stays_when_the_neck_alone_can_do_it() -> None:
    assert admission.admit(Target(head=head_transform(yaw=0.5)), NEUTRAL).pose.body_yaw == 0.0


def test_turning_the_body_alone_carries_the_head_along() -> None:
    present = BodyPose(head_transform(yaw=0.3, pitch=0.2))
    pose = admission.admit(Target(body_yaw=1.0), present).pose
    assert np.allclose(rpy_from_matrix(pose.head), (0.0, 0.2, 1.3))
    assert math.isclose(coordinates(pose)[HEAD_YAW], 0.3)


def test_antennas_alone_leave_everything_else() -> None:
    present = BodyPose(head_transform(pitch=0.3), 0.1, 0.2, 0.4)
    pose = admission.admit(Target(antennas=(0.5, -0.5)), present).pose
    assert np.allclose(pose.head, present.head)
    assert (pose.body_yaw, pose.antenna_right, pose.antenna_left) == (0.4, 0.5, -0.5)


def test_the_body_turns_to_the_side_the_head_turns_to() -> None:
    pose = admission.admit(Target(head=head_transform(yaw=math.radians(-90.0))), NEUTRAL).pose
    assert math.isclose(math.degrees(pose.body_yaw), -45.0)


def test_the_body_turns_no_further_than_the_arms_need() -> None:
    head = head_transform(yaw=math.radians(40.0), pitch=math.radians(-25.0), roll=math.radians(35.0))
    body_yaw = admission.admit(Target(head=head), NEUTRAL).pose.body_yaw
    assert body_yaw > 0.0
    assert refused(Target(head=head, body_yaw=body_yaw - math.radians(5.1))).code is ErrorCode.UNREACHABLE


def test_a_quaternion_typed_with_three_decimals_is_a_rotation_and_one_with_two_is_none() -> None:
    head = np.eye(4)
    head[:3, :3] *= math.sqrt(1.009)
    assert admission.admit(Target(head=head), NEUTRAL)
    head[:3, :3] = np.eye(3) * math.sqrt(1.011)
    assert refused(Target(head=head)).code is ErrorCode.NOT_RIGID


@pytest.mark.parametrize("shape", [(3, 3), (3, 4), (4, 3)])
def test_a_matrix_of_another_shape_is_no_transform(shape: tuple[int, int]) -> None:
    assert refused(Target(head=np.eye(*shape))).code is ErrorCode.NOT_RIGID


@pytest.mark.parametrize("yaw", [math.pi, -math.pi])
def test_half_a_turn_of_the_body_is_clamped_to_what_it_can(yaw: float) -> None:
    admitted = admission.admit(Target(body_yaw=yaw), NEUTRAL)
    assert math.degrees(admitted.pose.body_yaw) == pytest.approx(math.copysign(160.0, yaw))
    (finding,) = admitted.findings
    assert (finding.requested, math.degrees(finding.applied)) == (yaw, pytest.approx(math.copysign(160.0, yaw)))


def test_a_value_at_its_limit_is_taken_as_it_is() -> None:
    assert not admission.admit(Target(body_yaw=float(HIGH[BODY_YAW])), NEUTRAL).findings


def test_a_refusal_names_the_value_and_its_limits_in_what_people_count_in() -> None:
    error = refused(Target(head=head_transform(z=0.1)))
    assert error.message.startswith("head.z of 100.0 mm is beyond its limits, -50.0 mm to 22.0 mm")
    assert (error.field, error.requested) == ("head.z", pytest.approx(0.1))
    assert "body_yaw of 200.0 deg" in refused(Target(body_yaw=math.radians(200.0))).message
    report = error.finding()
    assert (report.verdict, report.code, report.field) == (Verdict.REFUSED, ErrorCode.OUT_OF_ENVELOPE, "head.z")


def test_a_target_is_empty_only_where_it_sets_nothing() -> None:
    assert Target().empty
    assert not any(target.empty for target in (Target(np.eye(4)), Target(antennas=(0.0, 0.0)), Target(body_yaw=0.0)))
