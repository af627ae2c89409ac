import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.robot.coordinates import BODY_YAW
from reachy_agent_ros.robot.limiter import MotionState, approach, brake, curve_to_rest, way_to_rest
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED

REST = MotionState(np.zeros(9), np.zeros(9))
PERIOD = 0.001


@given(st.lists(st.floats(-1.0, 1.0), min_size=9, max_size=9))
def test_braking_ends_at_position_predicted_by_at_rest(shares: list[float]) -> None:
    state = MotionState(np.zeros(9), np.array(shares) * SPEED)
    expected = state.at_rest()
    for _ in range(1000):
        state = brake(state, PERIOD)
    assert state.velocity == pytest.approx(0.0)
    assert state.position == pytest.approx(expected, abs=float((SPEED * PERIOD).max()))


@given(st.lists(st.floats(1e-3, 0.05), min_size=100, max_size=100), st.floats(0.01, 0.5))
def test_limiter_reaches_goal_without_overshoot_for_any_time_steps(steps: list[float], goal: float) -> None:
    state = REST
    for dt in [*steps, *[0.01] * 400]:
        state = approach(state, np.full(9, goal), dt)
        assert (state.position <= goal + 1e-9).all()
    assert state.position == pytest.approx(goal, abs=1e-3)


def test_short_move_takes_about_minimum_time_for_acceleration_limit() -> None:
    way = 0.5 * SPEED**2 / ACCELERATION
    fastest = 2.0 * np.sqrt(way / ACCELERATION)
    state, needed = REST, np.full(9, math.inf)
    for step in range(1, 400):
        state = approach(state, way, PERIOD)
        needed = np.where(state.position > 0.98 * way, np.minimum(needed, step * PERIOD), needed)
    assert (needed <= 1.05 * fastest + 5.0 * PERIOD).all()
    assert (needed >= 0.8 * fastest).all()


def test_long_move_reaches_full_speed() -> None:
    state = REST
    for _ in range(400):
        state = approach(state, np.full(9, 100.0), PERIOD)
    assert state.velocity == pytest.approx(SPEED)


@pytest.mark.parametrize("period", [0.004, 0.01, 0.05])
def test_braking_path_equals_step_by_step_braking(period: float) -> None:
    generator = np.random.default_rng(3)
    for _ in range(50):
        state = MotionState(generator.uniform(LOW, HIGH), generator.uniform(-SPEED, SPEED))
        way = way_to_rest(state, period)
        for position in way:
            state = brake(state, period)
            assert np.allclose(position, state.position, atol=1e-12)
        assert not state.velocity[:BODY_YAW].any()
    assert len(way_to_rest(MotionState(np.zeros(9), np.zeros(9)), period)) == 0


def test_braking_curve_equals_braking_in_very_short_steps() -> None:
    state = MotionState(np.zeros(9), np.linspace(-1.0, 1.0, 9) * SPEED)
    curve, short = curve_to_rest(state, 8), way_to_rest(state, 1e-5)
    assert np.allclose(curve[-1][:BODY_YAW], state.at_rest()[:BODY_YAW], atol=1e-12)
    assert all(np.abs(short - point).max(axis=1).min() < 1e-3 for point in curve)
