"""Domain randomization of the robot (Tobin et al., 2017), with command delay and sensor noise."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.learning.environments.specification import PostureChannel
from reachy_agent_ros.simulation.dynamics import COUNT, PERIOD, Dynamics, Variation

Range = tuple[float, float]


@dataclass(frozen=True)
class Randomization:
    """Ranges of the robot's properties. Each episode draws values from the ranges. See `Variation` for units."""

    strength: Range = (1.0, 1.0)
    friction: Range = (1.0, 1.0)
    head_mass: Range = (1.0, 1.0)
    delay: Range = (0.0, 0.0)
    noise: Range = (0.0, 0.0)

    def draw(self, generator: np.random.Generator) -> Variation:
        """Draws the robot's properties uniformly from their ranges."""
        return Variation(
            generator.uniform(*self.strength),
            generator.uniform(*self.friction),
            generator.uniform(*self.head_mass),
            generator.uniform(*self.delay),
            generator.uniform(*self.noise),
        )


USUAL = Randomization((0.8, 1.2), (0.5, 1.5), (0.9, 1.1), (0.0, 0.1), (0.0, 0.005))
"""Estimated spread between Reachy Mini robots; there is no published measurement."""


class ImperfectDynamics:
    """Dynamics of the robot with delayed commands and noisy sensors.

    Args:
        body: Underlying dynamics; noise is not added to `measured`.

    Attributes:
        sensed: `measured` with noise, as the robot's sensors report it.
    """

    def __init__(self, body: Dynamics) -> None:
        self.body = body
        self.sensed = body.measured
        self._queue: deque[list[float]] = deque()
        self._deviation = np.zeros(COUNT)
        self._noisy = False
        self._generator = np.random.default_rng(0)

    @property
    def measured(self) -> list[float]:
        """True coordinates of the body, without noise."""
        return self.body.measured

    def reset(self, variation: Variation, generator: np.random.Generator) -> None:
        """Resets the robot to rest in its neutral posture, with new properties.

        `generator` generates the sensor noise.
        """
        self.body.reset(variation)
        self._generator = generator
        self._deviation = np.full(COUNT, variation.noise)
        self._deviation[: PostureChannel.Z + 1] /= PostureChannel.Z.weight
        self._noisy = variation.noise > 0.0
        rest = [0.0] * COUNT
        self._queue = deque([rest] * round(variation.delay / PERIOD))
        self._sense()

    def step(self, goal: Sequence[float]) -> bool:
        """Applies the delayed command for one period."""
        self._queue.append(list(goal))
        held_back = self.body.step(self._queue.popleft())
        self._sense()
        return held_back

    def push(self, pitch: float, yaw: float) -> None:
        """Applies a torque (N m) to the head."""
        self.body.push(pitch, yaw)

    def joints(self) -> Mapping[str, float]:
        """Returns the position (rad) of every joint of the URDF."""
        return self.body.joints()

    def _sense(self) -> None:
        self.sensed = self.body.measured
        if self._noisy:
            self.sensed = self._generator.normal(self.sensed, self._deviation).tolist()
