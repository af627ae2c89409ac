from __future__ import annotations

import numpy as np

from reachy_agent_ros.learning.environments.randomization import USUAL, ImperfectDynamics
from reachy_agent_ros.learning.environments.specification import PostureChannel
from reachy_agent_ros.simulation.dynamics import PERIOD, KinematicDynamics, Variation

GOAL = [0.0, 0.0, 0.0, 0.0, 0.2, 0.1, 0.0, 0.0, 0.0]


def course(variation: Variation, steps: int = 12) -> tuple[list[list[float]], list[list[float]]]:
    """Returns the measured and the sensed coordinates at each step."""
    body = ImperfectDynamics(KinematicDynamics())
    body.reset(variation, np.random.default_rng(5))
    measured, sensed = [], []
    for _ in range(steps):
        body.step(GOAL)
        measured.append(body.measured.copy())
        sensed.append(list(body.sensed))
    return measured, sensed


def test_delay_shifts_motion_by_whole_number_of_periods() -> None:
    prompt, _ = course(Variation())
    late, _ = course(Variation(delay=2 * PERIOD))
    assert late[:2] == [[0.0] * 9] * 2
    assert late[2:] == prompt[:-2]


def test_sensor_noise_does_not_affect_measured_coordinates() -> None:
    quiet, _ = course(Variation())
    measured, sensed = course(Variation(noise=0.01))
    assert measured == quiet
    deviation = np.std(np.array(sensed) - np.array(measured), axis=0)
    assert 0.003 < deviation[PostureChannel.PITCH] < 0.03
    assert 0.0003 < deviation[PostureChannel.Z] < 0.003


def test_sensed_coordinates_are_exact_without_noise() -> None:
    measured, sensed = course(Variation())
    assert sensed == measured


def test_randomized_robot_parameters_are_within_ranges() -> None:
    generator = np.random.default_rng(1)
    for _ in range(50):
        robot = USUAL.draw(generator)
        for name in ("strength", "friction", "head_mass", "delay", "noise"):
            low, high = getattr(USUAL, name)
            assert low <= getattr(robot, name) <= high
