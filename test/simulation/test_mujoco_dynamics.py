from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.simulation.dynamics import KinematicDynamics, Variation
from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics

Z, ROLL, PITCH, YAW, BODY_YAW, _, ANTENNA_LEFT = range(2, 9)  # indices into `coordinates.NAMES`

wild = st.lists(st.lists(st.floats(-6.0, 6.0), min_size=9, max_size=9), min_size=1, max_size=25)


def settled(
    body: MujocoDynamics | KinematicDynamics,
    variation: Variation,
    channel: int,
    value: float,
    steps: int = 25,
) -> float:
    """Moves one coordinate toward a goal for some steps. Returns its measured value (m or rad)."""
    body.reset(variation)
    goal = [0.0] * 9
    goal[channel] = value
    for _ in range(steps):
        body.step(goal)
    return body.measured[channel]


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(wild)
def test_commands_stay_within_envelope(physics: MujocoDynamics, sequence: list[list[float]]) -> None:
    physics.reset(Variation())
    for goal in sequence:
        physics.step(goal)
    assert physics.watch is not None
    assert (physics.watch.violations, physics.watch.jumps) == (0, 0)


def test_motion_is_reproducible_after_reset(physics: MujocoDynamics) -> None:
    first = settled(physics, Variation(), YAW, 0.4)
    settled(physics, Variation(0.7, 2.0, 1.3), PITCH, 0.2)
    assert settled(physics, Variation(), YAW, 0.4) == first


def test_weaker_robot_with_heavier_head_moves_more_slowly(physics: MujocoDynamics) -> None:
    assert (
        settled(physics, Variation(strength=0.6, head_mass=1.4), PITCH, 0.3, 5)
        < settled(physics, Variation(), PITCH, 0.3, 5) - 0.01
    )


def test_push_turns_head_until_reset(physics: MujocoDynamics) -> None:
    physics.reset(Variation())
    still = [0.0] * 9
    physics.push(0.5, 0.0)
    for _ in range(20):
        physics.step(still)
    assert physics.measured[PITCH] > 0.01
    assert abs(settled(physics, Variation(), YAW, 0.0)) < 0.005
    assert abs(physics.measured[PITCH]) < 0.005


def test_reports_goals_out_of_reach_of_arms(physics: MujocoDynamics) -> None:
    physics.reset(Variation())
    goal = [0.0] * 9
    goal[Z], goal[PITCH], goal[ROLL], goal[YAW] = (
        0.022,
        0.69,
        0.69,
        1.1,
    )
    assert any(physics.step(goal) for _ in range(40))


@pytest.mark.parametrize("steps", [1, 2, 4, 8, 25])
@pytest.mark.parametrize(
    "channel",
    [
        ROLL,
        PITCH,
        YAW,
        BODY_YAW,
        ANTENNA_LEFT,
    ],
)
def test_kinematic_model_approximates_physics(physics: MujocoDynamics, channel: int, steps: int) -> None:
    expected = settled(physics, Variation(), channel, 0.3, steps)
    assert settled(KinematicDynamics(), Variation(), channel, 0.3, steps) == pytest.approx(expected, abs=0.04)


def test_provides_position_of_every_joint_for_rendering(physics: MujocoDynamics) -> None:
    physics.reset(Variation())
    assert physics.joints().keys() >= KinematicDynamics().joints().keys()
    assert np.isfinite(list(KinematicDynamics().joints().values())).all()
