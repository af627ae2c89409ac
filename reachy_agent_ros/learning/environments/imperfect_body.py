"""A body that hears late and senses with noise."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np

from reachy_agent_ros.learning.environments.channel import COUNT, PERIOD, Channel
from reachy_agent_ros.learning.environments.dynamics import Dynamics
from reachy_agent_ros.learning.environments.variation import Variation


class ImperfectBody:
    """Dynamics with a delay before them; what its sensors say of them is `sensed`.

    Args:
        body: What moves. `measured` stays the truth about it.

    Attributes:
        sensed: `measured` with noise.
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
        """Where it is."""
        return self.body.measured

    def reset(self, variation: Variation, generator: np.random.Generator) -> None:
        """Puts it at rest at its neutral posture, as the robot that is described; `generator` makes the noise."""
        self.body.reset(variation)
        self._generator = generator
        self._deviation = np.full(COUNT, variation.noise)
        self._deviation[: Channel.Z + 1] /= Channel.Z.weight
        self._noisy = variation.noise > 0.0
        rest = [0.0] * COUNT
        self._queue = deque([rest] * round(variation.delay / PERIOD))
        self._sense()

    def step(self, goal: Sequence[float]) -> bool:
        """Pursues for one period what it was told a delay ago."""
        self._queue.append(list(goal))
        held_back = self.body.step(self._queue.popleft())
        self._sense()
        return held_back

    def push(self, pitch: float, yaw: float) -> None:
        """Puts a torque on the head."""
        self.body.push(pitch, yaw)

    def joints(self) -> Mapping[str, float]:
        """Position of every joint of the URDF, rad."""
        return self.body.joints()

    def _sense(self) -> None:
        self.sensed = self.body.measured
        if self._noisy:
            self.sensed = self._generator.normal(self.sensed, self._deviation).tolist()
