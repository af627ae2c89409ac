"""What the robot believes of how a person wants it: a cloud of weights that are linear in the features.

A particle filter over weights that do not move (Liu and West, "Combined parameter and state estimation in
simulation-based filtering", 2001): where few particles carry the weight, they are drawn anew and scattered a little, in
such a way that mean and covariance stay. A cloud can lie around what was done, which is what "nearly" means, and a
single Gaussian cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector

_PARTICLES = 1000

_ALIKE, _DEPENDENT = 1.0, 0.6
"""Standard deviation, in steps, of what is wrong in every context alike, and of what depends on a feature."""

_SHRINKAGE = 0.97
"""How far particles that are drawn anew keep from their mean; what is missing of their spread is scattered."""


@dataclass(frozen=True)
class Belief:
    """Weights of all parameters, one after the other, each with one weight a feature; in steps.

    Attributes:
        particles: Shape (particles, parameters * features).
        log_weights: How likely each of them is, up to a constant.
    """

    particles: Matrix
    log_weights: Vector

    @classmethod
    def untaught(cls, parameters: int, features: int) -> Belief:
        """Before the first lesson: the nominal value is the likeliest."""
        half = _drawn(_PARTICLES // 2, parameters, features, np.random.default_rng(0))
        return cls(np.vstack((half, -half)), np.zeros(_PARTICLES))  # their mean is nothing, to the last bit

    def offsets(self, features: Vector) -> Matrix:
        """Offset that each particle wants in a context, in steps: one row a particle, one column a parameter."""
        return np.asarray(self.particles.reshape(len(self.particles), -1, len(features)) @ features)

    def wanted(self, features: Vector) -> Vector:
        """Mean offset that is wanted in a context, in steps."""
        return np.asarray(self._weights() @ self.offsets(features))

    def deviation(self, features: Vector) -> Vector:
        """Standard deviation of each of these offsets, in steps."""
        spread = self.offsets(features) - self.wanted(features)
        return np.asarray(np.sqrt(self._weights() @ spread**2))

    def after(self, log_likelihood: Vector, rng: np.random.Generator) -> Belief:
        """The belief after a lesson.

        Args:
            log_likelihood: Of what was said, given each particle.
            rng: Source of chance.
        """
        weighed = Belief(self.particles, self.log_weights + log_likelihood)
        effective = 1.0 / float(np.sum(weighed._weights() ** 2))
        return weighed if effective > len(self.particles) / 2.0 else weighed._drawn_anew(rng)

    def widened(self, factor: float) -> Belief:
        """The same mean with greater doubt: spread by a factor."""
        mean = self._weights() @ self.particles
        return Belief(mean + factor * (self.particles - mean), self.log_weights)

    def _weights(self) -> Vector:
        likely = np.exp(self.log_weights - self.log_weights.max())
        return np.asarray(likely / likely.sum())

    def _drawn_anew(self, rng: np.random.Generator) -> Belief:
        count, width = self.particles.shape
        weights = self._weights()
        mean, covariance = weights @ self.particles, np.cov(self.particles.T, aweights=weights)
        places = (np.arange(count) + rng.random()) / count  # systematic: every likely particle stays
        chosen = np.searchsorted(np.cumsum(weights), places).clip(0, count - 1)
        scatter = rng.multivariate_normal(np.zeros(width), (1.0 - _SHRINKAGE**2) * covariance, count)
        particles = _SHRINKAGE * self.particles[chosen] + (1.0 - _SHRINKAGE) * mean + scatter
        return Belief(particles, np.zeros(count))


def _drawn(count: int, parameters: int, features: int, rng: np.random.Generator) -> Matrix:
    deviations = np.full(features, _DEPENDENT)
    deviations[0] = _ALIKE
    return np.asarray(rng.standard_normal((count, parameters * features)) * np.tile(deviations, parameters))
