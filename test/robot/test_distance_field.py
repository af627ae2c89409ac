"""Distances between the places of a grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.robot.distance_field import DistanceField
from reachy_agent_ros.robot.head_clearance import HeadClearance

ORIGIN = np.array([-0.1, -0.2, -0.3])
SPACING = 0.01
SHAPE = (4, 5, 6)
LAST = ORIGIN + SPACING * (np.array(SHAPE) - 1)

places = st.tuples(*[st.floats(-0.08, 0.08)] * 3).map(np.array)


def grid(at: Vector) -> float:
    """A function that trilinear interpolation reproduces exactly."""
    x, y, z = at
    return float(1.0 + x - 2.0 * y + 3.0 * z + 40.0 * x * y - 50.0 * x * z + 60.0 * y * z + 700.0 * x * y * z)


@pytest.fixture(scope="module")
def field() -> DistanceField:
    indices = np.indices(SHAPE).reshape(3, -1).T
    distances = np.array([grid(ORIGIN + SPACING * index) for index in indices])
    return DistanceField(distances.reshape(SHAPE), ORIGIN, SPACING)


@settings(max_examples=100)
@given(st.lists(st.tuples(*[st.floats(0.0, 1.0)] * 3).map(np.array), min_size=1, max_size=8))
def test_interpolates_trilinearly_in_each_cell(field: DistanceField, shares: list[Vector]) -> None:
    inside = np.array([ORIGIN + share * (LAST - ORIGIN) for share in shares])
    assert field.at(inside) == pytest.approx([grid(place) for place in inside], abs=1e-6)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_place_outside_adds_its_distance_from_the_border(field: DistanceField, axis: int) -> None:
    beyond = LAST.copy()
    beyond[axis] += 0.02
    assert field.at(beyond[None]) == pytest.approx([grid(LAST) + 0.02], abs=1e-6)


def test_returns_nothing_for_no_places(field: DistanceField) -> None:
    assert field.at(np.empty((0, 3))).shape == (0,)


@settings(max_examples=300)
@given(places, st.tuples(*[st.floats(-0.02, 0.02)] * 3).map(np.array))
def test_distance_to_the_head_changes_little_more_than_the_place_moves(place: Vector, step: Vector) -> None:
    here, there = HeadClearance().field.at(np.array([place, place + step]))
    assert abs(here - there) <= np.linalg.norm(step) + DistanceField.SLACK
