"""COACH, a method of learning from corrections: "too far down" moves the wanted offset of a parameter up.

The change is proportional to the uncertainty of the offset.

COACH stands for corrective advice communicated by humans (Celemin and Ruiz-del-Solar, "An interactive framework for
learning continuous actions policies based on corrective feedback", Journal of Intelligent and Robotic Systems, 2019). A
word gives the sign of the error in action space, and the weights of a linear policy take a step. As in the Gaussian
variant of COACH (Wout et al., "Learning Gaussian policies from corrective human feedback", 2019, arXiv:1903.05216), the
step is proportional to the uncertainty of the policy: large at first and small later. If people contradict each other,
the policy converges to the middle.

In this implementation, a direction is a noisy observation of the error. Praise, partial praise and a plain "no" are
observations of its magnitude. Each observation updates the weights of the particles of a belief.

The belief is a particle filter over constant weights (Liu and West, "Combined parameter and state estimation in
simulation-based filtering", 2001). If few particles carry most of the weight, all particles are resampled and perturbed
such that mean and covariance are preserved. Particles can surround the executed offset, as "nearly" implies; a single
Gaussian cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.learning.score import Score, Sign

_PARTICLES = 1000

_ALIKE, _DEPENDENT = 1.0, 0.6
"""Prior standard deviations of the constant weight and of the weight of each feature, steps."""

_SHRINKAGE = 0.97
"""Factor that shrinks resampled particles toward their mean; the perturbation restores their covariance."""

_HUMAN_RELIABILITY = 0.9
"""Probability that a sentence is about the action and correct: one in ten is not, even if it was understood
perfectly."""

_OTHERWISE = 0.35
"""Likelihood of a sentence that does not concern the action."""

_PERFECT, _PASSABLE = 0.5, 1.0
"""Largest errors that satisfy people and that people tolerate, steps."""

_PRAISE = 0.6
"""Minimum rating of full praise; below it, praise means "nearly"."""

_NOTICED, _NEARLY = 0.4, 0.1
"""Smallest errors of one parameter that people criticize, and that they mention along with praise, steps."""

_PETTY = 0.3
"""Relative likelihood that somebody criticizes an error that satisfies most people."""

_BLUR = 0.25
"""Standard deviation of the limits above, including camera noise, steps."""


@dataclass(frozen=True)
class Belief:
    """Distribution of the policy's weights (in steps), which are ordered by parameter, then by feature.

    Attributes:
        particles: Samples of the weights, shape (particles, parameters * features).
        log_weights: Log-likelihood of each particle, up to a constant.
    """

    particles: Matrix
    log_weights: Vector

    @classmethod
    def untaught(cls, parameters: int, features: int) -> Belief:
        """Returns the prior belief, centered on the nominal value."""
        half = _drawn(_PARTICLES // 2, parameters, features, np.random.default_rng(0))
        return cls(np.vstack((half, -half)), np.zeros(_PARTICLES))  # symmetric, so that the mean is exactly 0

    def offsets(self, features: Vector) -> Matrix:
        """Returns the wanted offset (in steps) of each particle in a context, with shape (particles, parameters)."""
        return np.asarray(self.particles.reshape(len(self.particles), -1, len(features)) @ features)

    def wanted(self, features: Vector) -> Vector:
        """Returns the mean wanted offset (in steps) in a context."""
        return np.asarray(self._weights() @ self.offsets(features))

    def deviation(self, features: Vector) -> Vector:
        """Returns the standard deviation of the wanted offset (in steps) in a context."""
        spread = self.offsets(features) - self.wanted(features)
        return np.asarray(np.sqrt(self._weights() @ spread**2))

    def after(self, log_likelihood: Vector, rng: np.random.Generator) -> Belief:
        """Updates the belief with an observation and returns the new belief.

        Args:
            log_likelihood: Log-likelihood of the observation for each particle.
            rng: Random generator.
        """
        weighed = Belief(self.particles, self.log_weights + log_likelihood)
        effective = 1.0 / float(np.sum(weighed._weights() ** 2))
        return weighed if effective > len(self.particles) / 2.0 else weighed._drawn_anew(rng)

    def widened(self, factor: float) -> Belief:
        """Returns a belief with the same mean, and with its standard deviation multiplied by `factor`."""
        mean = self._weights() @ self.particles
        return Belief(mean + factor * (self.particles - mean), self.log_weights)

    def _weights(self) -> Vector:
        likely = np.exp(self.log_weights - self.log_weights.max())
        return np.asarray(likely / likely.sum())

    def _drawn_anew(self, rng: np.random.Generator) -> Belief:
        count, width = self.particles.shape
        weights = self._weights()
        mean, covariance = weights @ self.particles, np.cov(self.particles.T, aweights=weights)
        places = (np.arange(count) + rng.random()) / count  # systematic resampling: every likely particle is kept
        chosen = np.searchsorted(np.cumsum(weights), places).clip(0, count - 1)
        scatter = rng.multivariate_normal(np.zeros(width), (1.0 - _SHRINKAGE**2) * covariance, count)
        particles = _SHRINKAGE * self.particles[chosen] + (1.0 - _SHRINKAGE) * mean + scatter
        return Belief(particles, np.zeros(count))


def taught(
    belief: Belief, features: Vector, done: Vector, score: Score, directions: list[Vector], rng: np.random.Generator
) -> Belief:
    """Updates a belief with a person's feedback and returns the new belief.

    Args:
        belief: Previous belief.
        features: Features of the context.
        done: Executed offset, steps.
        score: Score of the feedback.
        directions: Direction of each axis of the score, with 1, -1 or 0 for each parameter.
        rng: Random generator.
    """
    missing = belief.offsets(features) - done
    error = np.linalg.norm(missing, axis=1)
    likelihood = _praised(error, score) if score.sign is Sign.POSITIVE else _criticized(error, bool(directions))
    least = _NEARLY if score.sign is Sign.POSITIVE else _NOTICED
    for direction in directions:
        likelihood = likelihood * _above(missing @ direction, least)
    trust = _HUMAN_RELIABILITY * score.confidence
    return belief.after(np.log((1.0 - trust) * _OTHERWISE + trust * likelihood), rng)


def _drawn(count: int, parameters: int, features: int, rng: np.random.Generator) -> Matrix:
    deviations = np.full(features, _DEPENDENT)
    deviations[0] = _ALIKE
    return np.asarray(rng.standard_normal((count, parameters * features)) * np.tile(deviations, parameters))


def _praised(error: Vector, score: Score) -> Vector:
    happy = 1.0 - _above(error, _PERFECT)
    if score.rating >= _PRAISE:
        return happy
    return np.asarray(1.0 - _above(error, _PASSABLE) - happy).clip(0.0)


def _criticized(error: Vector, precisely: bool) -> Vector:
    if precisely:
        return np.asarray(np.where(error > _PERFECT, 1.0, _PETTY))
    return _above(error, _PASSABLE)


def _above(error: Vector, limit: float) -> Vector:
    """Returns the probability that people notice that an error exceeds a limit.

    Uses a logistic approximation of a normal distribution function.
    """
    return np.asarray(0.5 + 0.5 * np.tanh(0.85 * (error - limit) / _BLUR))
