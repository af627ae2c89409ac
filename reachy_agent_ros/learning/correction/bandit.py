"""Contextual bandit: trying small variations and keeping to those that are received better, by Thompson sampling.

Its Bayesian linear model tells how well something is received (Agrawal and Goyal, "Thompson sampling for contextual
bandits with linear payoffs", 2013): weights are drawn from what is known of them, and the variation is done that would
be best by these weights. One is thus chosen as often as it is likely to be the best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector

BEGINNING = 100
"""Ratings before anything is varied: until then directions teach more than ratings, and variation would only cost."""

_REACH = 0.25
"""How far, in steps, a variation is from what directions have taught: less than people notice at once."""

_DRAWS = 200
"""Of weights, so that probabilities are known to a few percent and none is 0."""

_NOISE = 0.5
"""Standard deviation of a rating around what is deserved: people differ, and words are misread."""

_PRIOR = 1.0
"""Standard deviation of each weight before the first rating."""


def varied(
    rewards: RewardRegression, features: Vector, centre: Vector, rng: np.random.Generator
) -> tuple[Vector, float]:
    """The offset to execute and the probability of that choice.

    Args:
        rewards: What is known of them.
        features: Of the context.
        centre: Offset that directions have taught, in steps.
        rng: Source of chance.
    """
    if rewards.judged < BEGINNING:
        return centre, 1.0
    reach = _REACH * np.eye(len(centre))
    offsets = np.vstack((centre, centre + reach, centre - reach))
    best = np.argmax(rewards.draws(features, offsets, _DRAWS, rng), axis=1)
    chosen = int(best[0])
    return offsets[chosen], float(np.mean(best == chosen))


@dataclass(frozen=True)
class RewardRegression:
    """Ratings that are quadratic in features and offsets, so that there is a best offset linear in the features.

    Attributes:
        precision: Inverse covariance of the weights.
        evidence: Precision times the weights' mean.
        judged: Ratings it has learnt from.
    """

    precision: Matrix
    evidence: Vector
    judged: int = 0

    @classmethod
    def untaught(cls, parameters: int, features: int) -> RewardRegression:
        """Before the first rating."""
        length = len(_terms(np.zeros(features), np.zeros(parameters)))
        return cls(np.eye(length) / _PRIOR**2, np.zeros(length))

    def after(self, features: Vector, offset: Vector, rating: float, confidence: float) -> RewardRegression:
        """With one more rating, which weighs as much as it is sure.

        Args:
            features: Of the context.
            offset: That was executed, in steps.
            rating: -1..1.
            confidence: 0..1.
        """
        terms = _terms(features, offset)
        weight = confidence / _NOISE**2
        return RewardRegression(
            self.precision + weight * np.outer(terms, terms), self.evidence + weight * rating * terms, self.judged + 1
        )

    def draws(self, features: Vector, offsets: Vector, count: int, rng: np.random.Generator) -> Matrix:
        """Rewards of some offsets as they may be, given what is known.

        Args:
            features: Of the context.
            offsets: One a row, in steps.
            count: How many draws.
            rng: Source of chance.

        Returns:
            One row a draw, one column an offset.
        """
        terms = np.array([_terms(features, offset) for offset in offsets])
        root = np.linalg.cholesky(np.linalg.inv(self.precision))
        weights = np.linalg.solve(self.precision, self.evidence) + rng.standard_normal((count, len(root))) @ root.T
        return np.asarray(weights @ terms.T)


def _terms(features: Vector, offset: Vector) -> Vector:
    upper = np.triu_indices(len(features))
    return np.concatenate((np.outer(features, features)[upper], np.kron(offset, features), offset**2))
