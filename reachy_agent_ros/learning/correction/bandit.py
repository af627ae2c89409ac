"""Trying small variations and keeping to those that are received better: Thompson sampling.

A contextual bandit with a Bayesian linear model of the reward (Agrawal and Goyal, "Thompson sampling for contextual
bandits with linear payoffs", 2013): weights are drawn from what is known of them, and the variation is done that would
be best by these weights. One is thus chosen as often as it is likely to be the best.
"""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.correction.reward_regression import RewardRegression

BEGINNING = 100
"""Ratings before anything is varied: until then directions teach more than ratings, and variation would only cost."""

_REACH = 0.25
"""How far, in steps, a variation is from what directions have taught: less than people notice at once."""

_DRAWS = 200
"""Of weights, so that probabilities are known to a few percent and none is 0."""


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
