"""How requests are rated, by what was advised: a ridge regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.learning.advisor.advice_policy import OWN, SHARED, AdvicePolicy, own_features, shared_features
from reachy_agent_ros.learning.advisor.choice import Choice
from reachy_agent_ros.learning.advisor.situation import Situation

_PRIOR_BASE, _PRIOR_SHARED, _PRIOR_OWN = 0.5, 0.5, 0.15
"""Standard deviations of the weights before anything was rated: of a request without advice, and of what an advice adds
for all tools and for one. A rating is -1..1."""


@dataclass(frozen=True)
class RatingModel:
    """Expects a rating of each option.

    Attributes:
        base: Weights of a request's own features, without advice.
        added: What advice adds.
    """

    base: Vector
    added: AdvicePolicy

    @classmethod
    def fitted(cls, choices: Sequence[Choice], ratings: Vector) -> RatingModel:
        """The likeliest weights, given ratings that were logged.

        Args:
            choices: What was advised.
            ratings: -1..1, one a choice.
        """
        names = names_of(choices)
        rows = [
            np.concatenate((own_features(one.situation), advice_features(one.situation, one.advised, names)))
            for one in choices
        ]
        weights = ridge(np.array(rows), ratings, np.concatenate((np.full(OWN, _PRIOR_BASE), priors(len(names)))))
        return cls(weights[:OWN], policy_of(weights[OWN:], names))

    def ratings(self, situation: Situation) -> Vector:
        """Expected of each of the situation's options."""
        base = float(own_features(situation) @ self.base)
        return np.clip(base + np.concatenate(([0.0], self.added.advantages(situation))), -1.0, 1.0)


def names_of(choices: Sequence[Choice]) -> list[str]:
    """All tools that might have been advised, in the order in which they come."""
    return list(dict.fromkeys(tool for choice in choices for tool in choice.situation.tools))


def advice_features(situation: Situation, tool: str, names: Sequence[str]) -> Vector:
    """What an advice adds is linear in these; all are 0 for no advice."""
    features = np.zeros(SHARED + OWN * len(names))
    if tool:
        begin = SHARED + OWN * names.index(tool)
        features[:SHARED] = shared_features(situation)[situation.tools.index(tool)]
        features[begin : begin + OWN] = own_features(situation)
    return features


def priors(tools: int) -> Vector:
    """Standard deviations of the weights of `advice_features`."""
    return np.concatenate((np.full(SHARED, _PRIOR_SHARED), np.full(OWN * tools, _PRIOR_OWN)))


def policy_of(weights: Vector, names: Sequence[str]) -> AdvicePolicy:
    """The policy with these weights of `advice_features`."""
    own = weights[SHARED:].reshape(len(names), OWN)
    return AdvicePolicy(weights[:SHARED], dict(zip(names, own, strict=True)))


def ridge(rows: Matrix, values: Vector, deviations: Vector) -> Vector:
    """The weights that are likeliest if they are normal around 0 and the values are as noisy as they vary.

    Args:
        rows: Features, one row a value.
        values: What they shall explain.
        deviations: Standard deviation of each weight before.
    """
    noise = max(float(np.var(values)), 1e-6)
    return np.asarray(np.linalg.solve(rows.T @ rows + np.diag(noise / deviations**2), rows.T @ values))
