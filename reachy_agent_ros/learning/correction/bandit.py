"""Contextual bandit that tries small variations of an action and prefers well-rated ones (Thompson sampling).

A Bayesian linear model predicts ratings (Agrawal and Goyal, "Thompson sampling for contextual bandits with linear
payoffs", 2013). Weights are drawn from their posterior, and the best variation for these weights is chosen. Thus, each
variation is chosen with the probability that it is the best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector

BEGINNING = 100
"""Number of ratings before variation begins: until then, corrections teach more, and variation would only lower
ratings."""

_REACH = 0.25
"""Distance of a variation from the corrected offset, steps: too small for people to notice immediately."""

_DRAWS = 200
"""Number of weight samples, enough to estimate probabilities to within a few percent. The probability of the chosen
variation is never 0."""

_NOISE = 0.5
"""Standard deviation of the rating noise: people judge differently, and speech is misunderstood."""

_PRIOR = 1.0
"""Prior standard deviation of each weight."""


def varied(
    rewards: RewardRegression, features: Vector, center: Vector, rng: np.random.Generator
) -> tuple[Vector, float]:
    """Chooses the offset of the next action. Returns the offset and the probability of this choice.

    Args:
        rewards: Model of ratings.
        features: Features of the context.
        center: Offset learned from corrections, steps.
        rng: Random generator.
    """
    if rewards.judged < BEGINNING:
        return center, 1.0
    reach = _REACH * np.eye(len(center))
    offsets = np.vstack((center, center + reach, center - reach))
    best = np.argmax(rewards.draws(features, offsets, _DRAWS, rng), axis=1)
    chosen = int(best[0])
    return offsets[chosen], float(np.mean(best == chosen))


@dataclass(frozen=True)
class RewardRegression:
    """Bayesian regression of ratings, quadratic in features and offsets.

    The best offset is linear in the features.

    Attributes:
        precision: Inverse covariance of the weights.
        evidence: Precision times the mean of the weights.
        judged: Number of ratings used.
    """

    precision: Matrix
    evidence: Vector
    judged: int = 0

    @classmethod
    def untaught(cls, parameters: int, features: int) -> RewardRegression:
        """Returns the prior distribution, which is valid before the first rating."""
        length = len(_terms(np.zeros(features), np.zeros(parameters)))
        return cls(np.eye(length) / _PRIOR**2, np.zeros(length))

    def after(self, features: Vector, offset: Vector, rating: float, confidence: float) -> RewardRegression:
        """Returns the posterior distribution after one more rating, weighted by its confidence.

        Args:
            features: Features of the context.
            offset: Executed offset, steps.
            rating: Rating, -1..1.
            confidence: Confidence in the rating, 0..1.
        """
        terms = _terms(features, offset)
        weight = confidence / _NOISE**2
        return RewardRegression(
            self.precision + weight * np.outer(terms, terms), self.evidence + weight * rating * terms, self.judged + 1
        )

    def draws(self, features: Vector, offsets: Vector, count: int, rng: np.random.Generator) -> Matrix:
        """Samples the ratings of offsets from the posterior.

        Args:
            features: Features of the context.
            offsets: Offsets, steps, one per row.
            count: Number of samples.
            rng: Random generator.

        Returns:
            Shape (count, number of offsets).
        """
        terms = np.array([_terms(features, offset) for offset in offsets])
        root = np.linalg.cholesky(np.linalg.inv(self.precision))
        weights = np.linalg.solve(self.precision, self.evidence) + rng.standard_normal((count, len(root))) @ root.T
        return np.asarray(weights @ terms.T)


def _terms(features: Vector, offset: Vector) -> Vector:
    upper = np.triu_indices(len(features))
    return np.concatenate((np.outer(features, features)[upper], np.kron(offset, features), offset**2))
