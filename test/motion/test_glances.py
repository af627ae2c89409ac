from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.motion.glances import NOT_REPEATED, SIMILAR, Glances
from reachy_agent_ros.robot.coordinates import ANGLES, ANTENNAS, BODY_YAW, HEAD_PITCH, HEAD_YAW
from reachy_agent_ros.robot.pose_limits import HIGH, LOW, NECK_COMFORT

REST = np.zeros(9)
TURN = 0.5
NOW = 100.0

places = st.tuples(*(st.floats(low, high) for low, high in zip(LOW, HIGH, strict=True))).map(np.array)
directions = st.tuples(st.floats(-np.pi, np.pi), st.floats(-1.5, 1.5))


def chosen(glances: Glances, now: float = NOW, rest: Vector = REST) -> Vector:
    """Returns the first proposal that does not repeat earlier ones, as the robot would turn to it."""
    proposals = (glances.choose(rest, TURN, 1.0, now) for _ in range(1000))
    glance = next(proposal for proposal in proposals if proposal is not None)
    glances.record(glance, now)
    return glance


@given(places, st.floats(0.0, 0.8), st.floats(0.0, 1.0), st.lists(directions, max_size=5), st.integers())
def test_glance_turns_head_at_most_as_far_as_permitted(
    rest: np.ndarray, turn: float, size: float, points: list[tuple[float, float]], seed: int
) -> None:
    rest[HEAD_YAW] = np.clip(rest[HEAD_YAW], -NECK_COMFORT, NECK_COMFORT)
    glances = Glances(Random(seed))
    for point in points:
        glances.notice(*point, NOW)
    for number in range(5):
        glance = glances.choose(rest, turn, size, NOW + number)
        if glance is None:
            continue
        glances.record(glance, NOW + number)
        assert (np.abs(glance[ANGLES] - rest[ANGLES]) <= turn * size + 1e-9).all()
        assert (glance[ANTENNAS] >= LOW[ANTENNAS]).all()
        assert (glance[ANTENNAS] <= HIGH[ANTENNAS]).all()
        assert np.array_equal(glance[:3], rest[:3])
        assert glance[BODY_YAW] == rest[BODY_YAW]


@given(directions.filter(lambda point: max(map(abs, point)) < TURN), st.integers())
def test_new_point_is_next_glance(point: tuple[float, float], seed: int) -> None:
    glances = Glances(Random(seed))
    assert glances.notice(*point, NOW)
    glance = chosen(glances)
    assert (glance[HEAD_YAW], glance[HEAD_PITCH]) == pytest.approx(point)


def test_glance_at_point_considers_turned_body() -> None:
    glances, rest = Glances(Random(1)), np.zeros(9)
    rest[BODY_YAW] = 2.0
    glances.notice(1.7, 0.0, NOW)
    assert chosen(glances, rest=rest)[HEAD_YAW] == pytest.approx(-0.3)


@pytest.mark.parametrize(("yaw", "expected"), [(3.0, TURN), (-3.0, -TURN), (1.0, TURN)])
def test_glance_at_point_beyond_reach_turns_as_far_as_permitted(yaw: float, expected: float) -> None:
    glances = Glances(Random(1))
    glances.notice(yaw, 0.0, NOW)
    assert chosen(glances)[HEAD_YAW] == pytest.approx(expected)


def test_point_is_new_once() -> None:
    glances = Glances(Random(1))
    assert glances.notice(0.3, 0.1, NOW)
    assert not glances.notice(0.32, 0.09, NOW + 1.0)
    assert glances.notice(-0.3, 0.1, NOW + 1.0)
    assert glances.notice(0.3, 0.1, NOW + 1000.0)


def test_many_points_do_not_fill_memory() -> None:
    glances, random = Glances(Random(1)), Random(2)
    for _ in range(5000):
        glances.notice(random.uniform(-3.0, 3.0), random.uniform(-1.5, 1.5), NOW)
    assert len(glances._points) < 20


@pytest.mark.parametrize("points", [(), ((0.3, 0.0),), ((0.3, 0.0), (-0.2, 0.1), (0.0, -0.1))])
@pytest.mark.parametrize("seed", range(5))
def test_order_of_glances_does_not_repeat(points: tuple[tuple[float, float], ...], seed: int) -> None:
    glances, past = Glances(Random(seed)), []
    for time in np.arange(0.0, 3600.0, 6.0):
        for point in points:
            glances.notice(*point, float(time))
        past.append((float(time), chosen(glances, float(time))[ANGLES]))
    orders = [(time, np.concatenate([first, second])) for (_, first), (time, second) in pairwise(past)]
    for number, (time, order) in enumerate(orders):
        recent = [earlier for when, earlier in orders[:number] if time - when < NOT_REPEATED - 60.0]
        assert not any((np.abs(earlier - order) <= SIMILAR).all() for earlier in recent)
