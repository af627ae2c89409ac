from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.learning.environments.dynamics import NOMINAL, USUAL, ImperfectBody, KinematicBody, Variation
from reachy_agent_ros.learning.environments.specification import PERIOD, PostureChannel
from reachy_agent_ros.robot.limiter import MotionState, approach
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED

GOAL = [0.0, 0.0, 0.0, 0.0, 0.2, 0.1, 0.0, 0.0, 0.0]

goals = st.lists(
    st.tuples(*(st.floats(3 * low, 3 * high) for low, high in zip(LOW.tolist(), HIGH.tolist(), strict=True))),
    min_size=1,
    max_size=40,
)


def course(variation: Variation, steps: int = 12) -> tuple[list[list[float]], list[list[float]]]:
    """What is measured and what is sensed, period by period."""
    body = ImperfectBody(KinematicBody())
    body.reset(variation, np.random.default_rng(5))
    measured, sensed = [], []
    for _ in range(steps):
        body.step(GOAL)
        measured.append(body.measured.copy())
        sensed.append(list(body.sensed))
    return measured, sensed


def test_a_delay_shifts_everything_by_whole_periods() -> None:
    prompt, _ = course(NOMINAL)
    late, _ = course(Variation(delay=2 * PERIOD))
    assert late[:2] == [[0.0] * 9] * 2
    assert late[2:] == prompt[:-2]


def test_noise_is_in_what_it_senses_and_not_in_what_is() -> None:
    quiet, _ = course(NOMINAL)
    measured, sensed = course(Variation(noise=0.01))
    assert measured == quiet
    deviation = np.std(np.array(sensed) - np.array(measured), axis=0)
    assert 0.003 < deviation[PostureChannel.PITCH] < 0.03
    assert 0.0003 < deviation[PostureChannel.Z] < 0.003


def test_without_noise_it_senses_what_is() -> None:
    measured, sensed = course(NOMINAL)
    assert sensed == measured


def test_a_robot_is_drawn_within_its_ranges() -> None:
    generator = np.random.default_rng(1)
    for _ in range(50):
        robot = USUAL.draw(generator)
        for name in ("strength", "friction", "head_mass", "delay", "noise"):
            low, high = getattr(USUAL, name)
            assert low <= getattr(robot, name) <= high


@pytest.mark.slow
@settings(max_examples=60)
@given(goals)
def test_commands_are_those_of_the_limiter(sequence: list[tuple[float, ...]]) -> None:
    body, state = KinematicBody(), MotionState(np.zeros(9), np.zeros(9))
    for goal in sequence:
        body.step(goal)
        state = approach(state, np.clip(goal, LOW, HIGH), PERIOD)
        assert body._command == pytest.approx(state.position, abs=1e-9)


@settings(max_examples=60)
@given(goals)
def test_no_goals_move_it_faster_or_further_than_the_envelope_allows(sequence: list[tuple[float, ...]]) -> None:
    body = KinematicBody()
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


def reached(body: KinematicBody, goal: list[float]) -> float:
    for _ in range(5):
        body.step(goal)
    return body.measured[PostureChannel.PITCH]


def test_a_weaker_robot_comes_later() -> None:
    body, goal = KinematicBody(), [0.0] * 9
    goal[PostureChannel.PITCH] = 0.3
    nominal = reached(body, goal)
    body.reset(Variation(strength=0.8, head_mass=1.2))
    assert 0.0 < reached(body, goal) < nominal < 0.3


def test_a_push_ends_with_the_episode() -> None:
    body, still = KinematicBody(), [0.0] * 9
    body.push(0.5, 0.0)
    assert reached(body, still) > 0.001
    body.reset(NOMINAL)
    assert reached(body, still) == 0.0
