import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from reachy_agent_ros.core.pose import (
    BodyPose,
    Matrix,
    angle_between,
    head_transform,
    interpolate,
    is_rotation,
    matrix_from_quaternion,
    matrix_from_rotation_vector,
    matrix_from_rpy,
    quaternion_from_matrix,
    rotation_vector,
    rpy_from_matrix,
    wrap_angle,
)

angles = st.floats(-math.pi, math.pi)
steep = st.floats(-math.pi / 2, math.pi / 2)
rotations = st.builds(matrix_from_rpy, angles, steep, angles)
transforms = st.builds(head_transform, angles, steep, angles, *[st.floats(-0.1, 0.1)] * 3)
vectors = st.tuples(*[st.floats(-1.0, 1.0)] * 3).map(np.array)


def assert_same(first: Matrix, second: Matrix) -> None:
    np.testing.assert_allclose(first, second, atol=1e-7)


def test_neutral_posture_faces_forward() -> None:
    assert_same(BodyPose().head, np.eye(4))


@pytest.mark.parametrize(
    ("rotation", "axis", "goes_to"),
    [
        pytest.param(matrix_from_rpy(0.1, 0.0, 0.0), (0, 1, 0), (0, 0, 1), id="positive roll lifts the left"),
        pytest.param(matrix_from_rpy(0.0, 0.1, 0.0), (1, 0, 0), (0, 0, -1), id="positive pitch looks down"),
        pytest.param(matrix_from_rpy(0.0, 0.0, 0.1), (1, 0, 0), (0, 1, 0), id="positive yaw looks left"),
    ],
)
def test_signs_of_angles_follow_rep_103(
    rotation: Matrix, axis: tuple[int, int, int], goes_to: tuple[int, int, int]
) -> None:
    assert (rotation @ np.array(axis)) @ np.array(goes_to) == pytest.approx(math.sin(0.1))


def test_roll_pitch_yaw_rotate_about_fixed_axes_in_order() -> None:
    roll, pitch, yaw = (matrix_from_rpy(*angle) for angle in ((0.3, 0, 0), (0, -0.2, 0), (0, 0, 0.9)))
    assert_same(matrix_from_rpy(0.3, -0.2, 0.9), yaw @ pitch @ roll)


@given(rotations)
def test_rotation_matrix_is_rigid(rotation: Matrix) -> None:
    assert_same(rotation @ rotation.T, np.eye(3))
    assert np.linalg.det(rotation) == pytest.approx(1.0)
    assert is_rotation(rotation)


@given(
    arrays(float, (3, 3), elements=st.floats(allow_nan=False, allow_infinity=False)),
    st.sampled_from([1.0, 1e150, 1e200]),
)
def test_rejects_finite_matrix_that_is_not_a_rotation(matrix: Matrix, scale: float) -> None:
    matrix = np.clip(matrix, -1e100, 1e100) * scale
    with np.errstate(over="raise", invalid="raise"):
        if is_rotation(matrix):
            np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=0.05)


def test_non_finite_matrix_is_not_a_rotation() -> None:
    assert not is_rotation(np.full((3, 3), math.nan))


@given(rotations)
def test_roll_pitch_yaw_round_trip_of_rotation(rotation: Matrix) -> None:
    assert_same(matrix_from_rpy(*rpy_from_matrix(rotation)), rotation)


@given(angles, st.floats(-1.5, 1.5), angles)
def test_roll_pitch_yaw_round_trip_of_angles(roll: float, pitch: float, yaw: float) -> None:
    back = rpy_from_matrix(matrix_from_rpy(roll, pitch, yaw))
    differences = np.array(back) - np.array((roll, pitch, yaw))
    assert_same(np.cos(differences), np.ones(3))


@pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2])
@given(roll=angles, yaw=angles)
def test_roll_is_zero_in_gimbal_lock(pitch: float, roll: float, yaw: float) -> None:
    rotation = matrix_from_rpy(roll, pitch, yaw)
    back = rpy_from_matrix(rotation)
    assert back[0] == pytest.approx(0.0)
    assert_same(matrix_from_rpy(*back), rotation)


@given(rotations)
def test_quaternion_round_trip(rotation: Matrix) -> None:
    quaternion = quaternion_from_matrix(rotation)
    assert np.linalg.norm(quaternion) == pytest.approx(1.0)
    assert quaternion[3] >= 0.0
    assert_same(matrix_from_quaternion(quaternion), rotation)


@given(rotations)
def test_rotation_vector_round_trip_of_rotation(rotation: Matrix) -> None:
    assert_same(matrix_from_rotation_vector(rotation_vector(rotation)), rotation)


@given(vectors)
def test_rotation_vector_round_trip_of_vector(vector: Matrix) -> None:
    assert_same(rotation_vector(matrix_from_rotation_vector(vector)), vector)


@given(rotations, vectors)
def test_angle_between_rotations_is_rotation_angle(start: Matrix, turn: Matrix) -> None:
    end = start @ matrix_from_rotation_vector(turn)
    assert angle_between(start, end) == pytest.approx(float(np.linalg.norm(turn)), abs=1e-7)
    assert angle_between(end, start) == pytest.approx(angle_between(start, end), abs=1e-7)


@given(angles, steep, angles, vectors)
def test_head_transform_has_rotation_and_translation(
    roll: float, pitch: float, yaw: float, translation: Matrix
) -> None:
    transform = head_transform(roll, pitch, yaw, *translation)
    assert_same(transform[:3, :3], matrix_from_rpy(roll, pitch, yaw))
    assert_same(transform[:3, 3], translation)
    assert_same(transform[3], np.array([0.0, 0.0, 0.0, 1.0]))


@given(transforms, transforms)
def test_pose_interpolation_reaches_both_end_poses(start: Matrix, end: Matrix) -> None:
    assert_same(interpolate(start, end, 0.0), start)
    assert_same(interpolate(start, end, 1.0), end)


@given(transforms, transforms, st.floats(0.0, 1.0))
def test_pose_interpolation_follows_straight_line_and_shortest_rotation(
    start: Matrix, end: Matrix, fraction: float
) -> None:
    between = interpolate(start, end, fraction)
    assert_same(between[:3, 3] - start[:3, 3], fraction * (end[:3, 3] - start[:3, 3]))
    assert angle_between(start, between) == pytest.approx(fraction * angle_between(start, end), abs=1e-6)
    assert_same(between[:3, :3] @ between[:3, :3].T, np.eye(3))


@given(st.floats(-1e3, 1e3))
def test_wrapped_angle_has_same_direction(angle: float) -> None:
    wrapped = wrap_angle(angle)
    assert -math.pi < wrapped <= math.pi
    assert_same(np.array([math.cos(wrapped), math.sin(wrapped)]), np.array([math.cos(angle), math.sin(angle)]))


def test_half_turn_is_wrapped_to_positive_pi() -> None:
    assert wrap_angle(-math.pi) == math.pi
