"""COACH: learning from directions. "Too far down" shifts what is wanted up, by as much as is still uncertain.

COACH, corrective advice communicated by humans (Celemin and Ruiz-del-Solar, "An interactive framework for learning
continuous actions policies based on corrective feedback", Journal of Intelligent and Robotic Systems, 2019): a word
names the sign of the error in the space of actions, and the weights of a linear policy take a step. As in its Gaussian
variant (Wout et al., "Learning Gaussian policies from corrective human feedback", 2019, arXiv:1903.05216) the step is
as long as the policy is uncertain there, so that it begins bold and ends fine, and people who contradict one another
lead it to the middle. Here the word is an observation, wrong at times, of what is missing; praise, half praise and a
plain "no" are observations of how much is missing. All of them weigh the particles of a belief.

The belief is a particle filter over weights that do not move (Liu and West, "Combined parameter and state estimation in
simulation-based filtering", 2001): where few particles carry the weight, they are drawn anew and scattered a little, in
such a way that mean and covariance stay. A cloud can lie around what was done, which is what "nearly" means, and a
single Gaussian cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.learning.score import Score, Sign

_PARTICLES = 1000

_ALIKE, _DEPENDENT = 1.0, 0.6
"""Standard deviation, in steps, of what is wrong in every context alike, and of what depends on a feature."""

_SHRINKAGE = 0.97
"""How far particles that are drawn anew keep from their mean; what is missing of their spread is scattered."""

_HUMAN_RELIABILITY = 0.9
"""One sentence in ten is about something else, or wrong, however well it was understood."""

_OTHERWISE = 0.35
"""How likely any sentence is where it means nothing."""

_PERFECT, _PASSABLE = 0.5, 1.0
"""Error, in steps, until which people are happy, and until which they let it pass."""

_PRAISE = 0.6
"""Rating from which it is praise, and not "nearly"."""

_NOTICED, _NEARLY = 0.4, 0.1
"""Error of one parameter, in steps, that people complain of, and that they add to praise."""

_PETTY = 0.3
"""How likely a complaint is about what others would be happy with, compared with one about what is off."""

_BLUR = 0.25
"""Standard deviation of all these limits, in steps, noise of the eye included."""


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


def taught(
    belief: Belief, features: Vector, done: Vector, score: Score, directions: list[Vector], rng: np.random.Generator
) -> Belief:
    """The belief after a judgement.

    Args:
        belief: Before.
        features: Of the context.
        done: Offset that was executed, in steps.
        score: Of what was said.
        directions: What each of its axes asks of the parameters: 1, -1 or 0 each.
        rng: Source of chance.
    """
    missing = belief.offsets(features) - done
    error = np.linalg.norm(missing, axis=1)
    likelihood = _praised(error, score) if score.sign is Sign.POSITIVE else _criticised(error, bool(directions))
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


def _criticised(error: Vector, precisely: bool) -> Vector:
    if precisely:
        return np.asarray(np.where(error > _PERFECT, 1.0, _PETTY))
    return _above(error, _PASSABLE)


def _above(error: Vector, limit: float) -> Vector:
    """How likely people find an error above a limit: the logistic function, near the normal distribution's."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.85 * (error - limit) / _BLUR))
