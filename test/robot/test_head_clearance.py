"""Tests of the distance between the head and the shell of the body.

The distance is interpolated in a distance field.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import Matrix, Vector, head_transform
from reachy_agent_ros.robot.head_clearance import DistanceField, HeadClearance
from reachy_agent_ros.robot.pose_limits import HIGH, LOW

CLEARANCE = HeadClearance()

heads = st.tuples(*(st.floats(0.7 * low, 0.7 * high) for low, high in zip(LOW[:6], HIGH[:6], strict=True))).map(
    lambda values: head_transform(*values[3:], *values[:3])
)
"""Head poses within 0.7 of the limits, about half of which touch the shell."""


@settings(max_examples=300)
@given(st.lists(heads, min_size=1, max_size=12), st.floats(-0.002, 0.004))
def test_postures_have_clearance_if_each_keeps_required_distance(postures: list[Matrix], least: float) -> None:
    every = np.array(postures)
    expected = all(CLEARANCE.distance(head) >= least for head in postures)
    assert CLEARANCE.clears(every[:, :3, :3], every[:, :3, 3], least) == expected


@settings(max_examples=300)
@given(heads, st.tuples(*[st.floats(-0.01, 0.01)] * 3).map(np.array), st.floats(0.0, 0.003))
def test_neighboring_postures_have_clearance_if_each_keeps_distance(head: Matrix, shift: Vector, least: float) -> None:
    way = np.array([head] * 10)
    way[:, :3, 3] += np.linspace(0.0, 1.0, 10)[:, None] * shift
    expected = all(CLEARANCE.distance(each) >= least for each in way)
    assert CLEARANCE.clears(way[:, :3, :3], way[:, :3, 3], least) == expected


def test_raised_head_is_farther_from_shell() -> None:
    assert CLEARANCE.distance(head_transform(z=0.01)) > CLEARANCE.distance(np.eye(4)) > 0.0


ORIGIN = np.array([-0.1, -0.2, -0.3])
SPACING = 0.01
SHAPE = (4, 5, 6)
LAST = ORIGIN + SPACING * (np.array(SHAPE) - 1)

places = st.tuples(*[st.floats(-0.08, 0.08)] * 3).map(np.array)


def grid(at: Vector) -> float:
    """Returns the value of a test function that trilinear interpolation reproduces exactly."""
    x, y, z = at
    return float(1.0 + x - 2.0 * y + 3.0 * z + 40.0 * x * y - 50.0 * x * z + 60.0 * y * z + 700.0 * x * y * z)


@pytest.fixture(scope="module")
def field() -> DistanceField:
    indices = np.indices(SHAPE).reshape(3, -1).T
    distances = np.array([grid(ORIGIN + SPACING * index) for index in indices])
    return DistanceField(distances.reshape(SHAPE), ORIGIN, SPACING)


@settings(max_examples=100)
@given(st.lists(st.tuples(*[st.floats(0.0, 1.0)] * 3).map(np.array), min_size=1, max_size=8))
def test_distance_field_interpolates_trilinearly_in_each_cell(field: DistanceField, shares: list[Vector]) -> None:
    inside = np.array([ORIGIN + share * (LAST - ORIGIN) for share in shares])
    assert field.at(inside) == pytest.approx([grid(place) for place in inside], abs=1e-6)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_point_outside_grid_adds_distance_to_border(field: DistanceField, axis: int) -> None:
    beyond = LAST.copy()
    beyond[axis] += 0.02
    assert field.at(beyond[None]) == pytest.approx([grid(LAST) + 0.02], abs=1e-6)


def test_distance_field_returns_empty_array_without_points(field: DistanceField) -> None:
    assert field.at(np.empty((0, 3))).shape == (0,)


@settings(max_examples=300)
@given(places, st.tuples(*[st.floats(-0.02, 0.02)] * 3).map(np.array))
def test_distance_field_changes_at_most_as_much_as_point_moves(place: Vector, step: Vector) -> None:
    here, there = HeadClearance().field.at(np.array([place, place + step]))
    assert abs(here - there) <= np.linalg.norm(step) + DistanceField.SLACK
