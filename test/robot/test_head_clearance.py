"""The distance between the head and the shell of the body."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import Matrix, Vector, head_transform
from reachy_agent_ros.robot.head_clearance import HeadClearance
from reachy_agent_ros.robot.pose_limits import HIGH, LOW

CLEARANCE = HeadClearance()

heads = st.tuples(*(st.floats(0.7 * low, 0.7 * high) for low, high in zip(LOW[:6], HIGH[:6], strict=True))).map(
    lambda values: head_transform(*values[3:], *values[:3])
)
"""Within 0.7 of the limits about half of the postures touch the shell."""


@settings(max_examples=300)
@given(st.lists(heads, min_size=1, max_size=12), st.floats(-0.002, 0.004))
def test_postures_are_clear_if_each_has_the_distance(postures: list[Matrix], least: float) -> None:
    every = np.array(postures)
    expected = all(CLEARANCE.distance(head) >= least for head in postures)
    assert CLEARANCE.clears(every[:, :3, :3], every[:, :3, 3], least) == expected


@settings(max_examples=300)
@given(heads, st.tuples(*[st.floats(-0.01, 0.01)] * 3).map(np.array), st.floats(0.0, 0.003))
def test_postures_close_to_each_other_are_clear_if_each_is(head: Matrix, shift: Vector, least: float) -> None:
    way = np.array([head] * 10)
    way[:, :3, 3] += np.linspace(0.0, 1.0, 10)[:, None] * shift
    expected = all(CLEARANCE.distance(each) >= least for each in way)
    assert CLEARANCE.clears(way[:, :3, :3], way[:, :3, 3], least) == expected


def test_head_that_is_raised_is_further_from_the_shell() -> None:
    assert CLEARANCE.distance(head_transform(z=0.01)) > CLEARANCE.distance(np.eye(4)) > 0.0
