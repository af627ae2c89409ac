"""What the robot believes of how a person wants it: a Gaussian over weights that are linear in the features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector

_ALIKE, _DEPENDENT = 1.0, 0.6
"""Standard deviation, in steps, of what is wrong in every context alike, and of what depends on a feature."""

_DRIFT = 0.002
"""How much of what it knew is forgotten at each lesson, because people change their minds and cameras their place."""


@dataclass(frozen=True)
class Belief:
    """Weights of all parameters, one after the other, each with one weight a feature; in steps.

    Attributes:
        mean: Shape (parameters * features,).
        covariance: Square, of the same length.
    """

    mean: Vector
    covariance: Matrix

    @classmethod
    def untaught(cls, parameters: int, features: int) -> Belief:
        """Before the first lesson: the nominal value is the likeliest."""
        return cls(np.zeros(parameters * features), _prior(parameters, features))

    def parameters(self, features: Vector) -> int:
        """How many parameters there are, given the features."""
        return len(self.mean) // len(features)

    def wanted(self, features: Vector) -> tuple[Vector, Matrix]:
        """Mean and covariance of the offsets that are wanted in a context, in steps."""
        rows = _rows(self.parameters(features), features)
        return rows @ self.mean, rows @ self.covariance @ rows.T

    def after(self, features: Vector, mean: Vector, covariance: Matrix) -> Belief:
        """The belief that agrees with what was learnt of the offsets wanted in one context.

        Args:
            features: Of that context.
            mean: Of these offsets, after the lesson.
            covariance: Likewise.
        """
        rows = _rows(self.parameters(features), features)
        before, spread = self.wanted(features)
        gain = np.linalg.solve(spread, rows @ self.covariance).T
        narrowed = self.covariance - gain @ (spread - covariance) @ gain.T
        return Belief(self.mean + gain @ (mean - before), (narrowed + narrowed.T) / 2.0)

    def loosened(self, features: int, share: float = _DRIFT) -> Belief:
        """With a share of its certainty given up; 1 is all of it."""
        prior = _prior(len(self.mean) // features, features)
        return Belief(self.mean, (1.0 - share) * self.covariance + share * prior)


def _prior(parameters: int, features: int) -> Matrix:
    deviations = np.full(features, _DEPENDENT)
    deviations[0] = _ALIKE
    return np.diag(np.tile(deviations**2, parameters))


def _rows(parameters: int, features: Vector) -> Matrix:
    return np.asarray(np.kron(np.eye(parameters), features), float)
