"""The task of looking at things with an eye that sits askew, and how much of it a policy gets right."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector

TOLERANCE = math.radians(4.0)
"""rad; a look that is further off has missed."""

_NOISE = math.radians(0.7)
"""rad, standard deviation of what the eye says, in pitch and in yaw."""

_LOW, _HIGH = np.radians((-20.0, -50.0)), np.radians((25.0, 50.0))
"""Where things are: pitch and yaw, rad."""

_ALIKE, _DEPENDENT = 1.0, 0.5
"""Shares of what is wrong everywhere, and of what grows with pitch and yaw; the scale is found for each task."""

_FAR_PITCH, _FAR_YAW = 0.4, 0.8
"""rad, at which what grows is as large as its share."""

_SAMPLES = 20_000

Policy = Callable[[Mapping[str, float]], Mapping[str, float]]
"""From a context of `LOOK_AT_OBJECT` to an action of it."""


@dataclass(frozen=True)
class MiscalibratedEye:
    """An eye whose error in pitch and yaw depends linearly on where the thing is.

    Attributes:
        error: rad, 2 x 3: what it adds to pitch and yaw; of every direction, and per rad of pitch and of yaw.
    """

    error: Matrix

    @classmethod
    def with_start(cls, share: float, seed: int) -> MiscalibratedEye:
        """One with which a robot that nobody has taught finds that share of all things.

        Args:
            share: 0..1.
            seed: Of the task.
        """
        rng = np.random.default_rng(seed)
        shape = rng.normal(size=(2, 3)) * (_ALIKE, _DEPENDENT / _FAR_PITCH, _DEPENDENT / _FAR_YAW)
        directions = targets(rng, _SAMPLES)
        wrong = np.column_stack((np.ones(_SAMPLES), directions)) @ shape.T
        noise = rng.normal(0.0, _NOISE, wrong.shape)
        least, most = 0.0, math.radians(40.0)
        for _ in range(30):
            scale = (least + most) / 2.0
            found = np.mean(np.linalg.norm(scale * wrong + noise, axis=1) < TOLERANCE)
            least, most = (scale, most) if found > share else (least, scale)
        return cls(least * shape)

    def seen(self, direction: Vector, rng: np.random.Generator) -> dict[str, float]:
        """Context of a thing in that direction (pitch, yaw, rad)."""
        wrong = self.error @ np.array((1.0, *direction)) + rng.normal(0.0, _NOISE, 2)
        return {"target_pitch": float(direction[0] + wrong[0]), "target_yaw": float(direction[1] + wrong[1])}

    def success(self, policy: Policy, seed: int, count: int = 400) -> float:
        """Share of things, 0..1, that a policy looks at."""
        rng = np.random.default_rng(seed)
        missed = [self.missing(policy, target, rng) for target in targets(rng, count)]
        return float(np.mean(np.linalg.norm(missed, axis=1) < TOLERANCE))

    def missing(self, policy: Policy, direction: Vector, rng: np.random.Generator) -> Vector:
        """By how much further in pitch and yaw it would have met the thing, rad."""
        return missing(policy(self.seen(direction, rng)), direction)


def targets(rng: np.random.Generator, count: int) -> Matrix:
    """Directions of things, one a row: pitch and yaw, rad."""
    return np.asarray(rng.uniform(_LOW, _HIGH, (count, 2)))


def missing(action: Mapping[str, float], direction: Vector) -> Vector:
    """By how much further in pitch and yaw an action would have met a thing in that direction, rad."""
    return np.asarray(direction - np.array((action["pitch"], action["yaw"])))
