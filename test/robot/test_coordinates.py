import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.robot.coordinates import BODY_YAW, NAMES, coordinates, finite_coordinates, posture, usable
from reachy_agent_ros.robot.pose_limits import HIGH, LOW

within = st.tuples(*(st.floats(low, high) for low, high in zip(LOW, HIGH, strict=True))).map(np.array)


@given(within)
def test_converts_coordinates_to_posture_and_back(values: np.ndarray) -> None:
    assert np.allclose(coordinates(posture(values)), values, atol=1e-9)


def test_head_coordinates_are_relative_to_body() -> None:
    values = dict(zip(NAMES, coordinates(BodyPose(head_transform(yaw=1.0, x=0.01), body_yaw=1.0)), strict=True))
    assert math.isclose(values["head.yaw"], 0.0, abs_tol=1e-12)
    assert math.isclose(values["head.x"], 0.01 * math.cos(1.0))


def test_neck_yaw_is_wrapped() -> None:
    pose = BodyPose(head_transform(yaw=math.radians(-170.0)), body_yaw=math.radians(150.0))
    assert math.isclose(coordinates(pose)[5], math.radians(40.0))


@given(within, st.sampled_from([math.nan, math.inf, -math.inf, 1e200]), st.integers(0, 18))
def test_posture_with_non_finite_number_has_no_coordinates(values: np.ndarray, bad: float, place: int) -> None:
    pose = posture(values)
    numbers = [*pose.head.flat, pose.antenna_right, pose.antenna_left, pose.body_yaw]
    numbers[place] = bad
    assert finite_coordinates(BodyPose(np.array(numbers[:16]).reshape(4, 4), *numbers[16:])) is None


def test_turning_body_and_head_together_changes_only_body_yaw() -> None:
    before = coordinates(BodyPose(head_transform(yaw=0.3, x=0.01), body_yaw=0.2))
    turned = before.copy()
    turned[BODY_YAW] = 1.2
    assert np.allclose(posture(turned).head, head_transform(yaw=1.0) @ posture(before).head)


@given(within, st.integers(0, 8))
def test_posture_with_huge_numbers_has_no_usable_coordinates(values: np.ndarray, place: int) -> None:
    assert usable(values)
    for huge in (1e9, -1e9, math.nan):
        values[place] = huge
        assert not usable(values)
    assert finite_coordinates(BodyPose(body_yaw=-1e9)) is None
    assert finite_coordinates(BodyPose(body_yaw=1e9)) is None
