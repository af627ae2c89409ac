from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.robot.coordinates import HEAD_PITCH
from reachy_agent_ros.robot.limiter import MotionState, approach
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.simulation.dynamics import PERIOD, KinematicDynamics, Variation

goals = st.lists(
    st.tuples(*(st.floats(3 * low, 3 * high) for low, high in zip(LOW.tolist(), HIGH.tolist(), strict=True))),
    min_size=1,
    max_size=40,
)


@pytest.mark.slow
@settings(max_examples=60)
@given(goals)
def test_kinematic_model_matches_limiter(sequence: list[tuple[float, ...]]) -> None:
    body, state = KinematicDynamics(), MotionState(np.zeros(9), np.zeros(9))
    for goal in sequence:
        body.step(goal)
        state = approach(state, np.clip(goal, LOW, HIGH), PERIOD)
        assert body._command == pytest.approx(state.position, abs=1e-9)


@settings(max_examples=60)
@given(goals)
def test_commands_stay_within_speed_limits_and_envelope(sequence: list[tuple[float, ...]]) -> None:
    body = KinematicDynamics()
    command, velocity = np.zeros(9), np.zeros(9)
    for goal in sequence:
        body.step(goal)
        moved = np.array(body._command)
        speed = (moved - command) / PERIOD
        assert (np.abs(speed) <= SPEED + 1e-9).all()
        assert (np.abs(speed - velocity) <= ACCELERATION * PERIOD + 1e-9).all()
        assert ((moved >= LOW - 1e-9) & (moved <= HIGH + 1e-9)).all()
        assert ((body.measured >= LOW - 1e-9) & (body.measured <= HIGH + 1e-9)).all()
        command, velocity = moved, speed


def reached(body: KinematicDynamics, goal: list[float]) -> float:
    for _ in range(5):
        body.step(goal)
    return body.measured[HEAD_PITCH]


def test_weaker_robot_moves_more_slowly() -> None:
    body, goal = KinematicDynamics(), [0.0] * 9
    goal[HEAD_PITCH] = 0.3
    nominal = reached(body, goal)
    body.reset(Variation(strength=0.8, head_mass=1.2))
    assert 0.0 < reached(body, goal) < nominal < 0.3


def test_reset_ends_external_push() -> None:
    body, still = KinematicDynamics(), [0.0] * 9
    body.push(0.5, 0.0)
    assert reached(body, still) > 0.001
    body.reset(Variation())
    assert reached(body, still) == 0.0
