"""Advice policy: probability of each tool suggestion; and the rating model that the policy is learned with.

Both are linear in features with weights shared by all tools and in features with weights for each tool. The rating
model is a ridge regression of the ratings of requests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.learning.advisor.choice import TOPICS, AdvisedChoice, Situation

SHARED, OWN = 4, 1 + TOPICS
"""Number of features with shared weights, and with weights for each tool: 1 and the topics."""

_TEMPERATURE = 0.05
"""Difference of expected ratings that makes one advice e times as likely as another."""

_MARGIN = 0.05
"""Advantage that an advice must have over no advice, in units of the rating."""

_BIAS = 0.5
"""Upper limit of an advantage, so that no tool dominates all others, whatever was learned."""

_PRIOR_BASE, _PRIOR_SHARED, _PRIOR_OWN = 0.5, 0.5, 0.15
"""Prior standard deviations of the weights: of a request without advice, and of the advantage of an advice, shared and
for each tool. Ratings are -1..1."""


@dataclass(frozen=True)
class AdvicePolicy:
    """Softmax policy over the options, by their expected advantage over no advice.

    Attributes:
        shared: Weights of the shared features, shape [SHARED]; None for a policy that never advises.
        own: Weights for each tool, shape [OWN]; zero for missing tools.
    """

    shared: Vector | None
    own: Mapping[str, Vector]

    def advantages(self, situation: Situation) -> Vector:
        """Expected rating of the advice of each tool, minus that of no advice."""
        if self.shared is None:
            return np.full(len(situation.tools), -np.inf)
        none = np.zeros(OWN)
        own = np.array([self.own.get(tool, none) for tool in situation.tools]).reshape(-1, OWN)
        return np.asarray(_shared_features(situation) @ self.shared + own @ _own_features(situation))

    def probabilities(self, situation: Situation) -> Vector:
        """Probability of each option of the situation; the sum is 1."""
        bounded = np.minimum(self.advantages(situation), _BIAS)
        likely = np.exp(np.concatenate(([0.0], bounded - _MARGIN)) / _TEMPERATURE)
        return np.asarray(likely / likely.sum())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Weights as arrays for the store."""
        if self.shared is None:
            return {"shared": np.zeros(0)}
        names = np.frombuffer("\n".join(self.own).encode(), dtype=np.uint8)
        return {"shared": self.shared, "own": np.array([*self.own.values()]).reshape(-1, OWN), "tools": names}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> AdvicePolicy:
        """Inverse of `arrays`.

        Raises:
            AgentError: `POLICY_REJECTED` for another shape or a number that is not finite.
        """
        try:
            if not arrays["shared"].size:
                return SILENT
            names = arrays["tools"].tobytes().decode().splitlines()
            policy = cls(arrays["shared"], dict(zip(names, arrays["own"], strict=True)))
        except (KeyError, ValueError):
            raise _rejected() from None
        values = np.concatenate((arrays["shared"].ravel(), arrays["own"].ravel()))
        shapes = arrays["shared"].shape, arrays["own"].shape
        if shapes != ((SHARED,), (len(names), OWN)) or not np.isfinite(values).all():
            raise _rejected()
        return policy


SILENT = AdvicePolicy(None, {})
"""Policy that never advises."""


@dataclass(frozen=True)
class RatingModel:
    """Model of the expected rating of each option.

    Attributes:
        base: Weights of the request's features, without advice, shape [OWN].
        added: Advantages of advice.
    """

    base: Vector
    added: AdvicePolicy

    @classmethod
    def fitted(cls, choices: Sequence[AdvisedChoice], ratings: Vector) -> RatingModel:
        """Fits the model to logged ratings.

        Args:
            choices: Logged choices.
            ratings: Rating of each choice, -1..1.
        """
        names = names_of(choices)
        rows = [
            np.concatenate((_own_features(one.situation), advice_features(one.situation, one.advised, names)))
            for one in choices
        ]
        weights = ridge(np.array(rows), ratings, np.concatenate((np.full(OWN, _PRIOR_BASE), priors(len(names)))))
        return cls(weights[:OWN], policy_of(weights[OWN:], names))

    def ratings(self, situation: Situation) -> Vector:
        """Expected rating of each option of the situation, -1..1."""
        base = float(_own_features(situation) @ self.base)
        return np.clip(base + np.concatenate(([0.0], self.added.advantages(situation))), -1.0, 1.0)


def explored(probabilities: Vector, exploration: float) -> Vector:
    """Probabilities of a policy with uniform exploration.

    Args:
        probabilities: Probabilities of the policy.
        exploration: Share of requests with a uniformly random option, 0..1.
    """
    return (1.0 - exploration) * probabilities + exploration / len(probabilities)


def names_of(choices: Sequence[AdvisedChoice]) -> list[str]:
    """All tools among the options, in order of first appearance."""
    return list(dict.fromkeys(tool for choice in choices for tool in choice.situation.tools))


def advice_features(situation: Situation, tool: str, names: Sequence[str]) -> Vector:
    """Features of an advice, in which its advantage is linear; all are 0 for no advice."""
    features = np.zeros(SHARED + OWN * len(names))
    if tool:
        begin = SHARED + OWN * names.index(tool)
        features[:SHARED] = _shared_features(situation)[situation.tools.index(tool)]
        features[begin : begin + OWN] = _own_features(situation)
    return features


def priors(tools: int) -> Vector:
    """Prior standard deviations of the weights of `advice_features`."""
    return np.concatenate((np.full(SHARED, _PRIOR_SHARED), np.full(OWN * tools, _PRIOR_OWN)))


def policy_of(weights: Vector, names: Sequence[str]) -> AdvicePolicy:
    """Policy with the given weights of `advice_features`."""
    own = weights[SHARED:].reshape(len(names), OWN)
    return AdvicePolicy(weights[:SHARED], dict(zip(names, own, strict=True)))


def ridge(rows: Matrix, values: Vector, deviations: Vector) -> Vector:
    """Maximum a posteriori weights of a linear regression, with the variance of the values as noise.

    Args:
        rows: Features, one row for each value.
        values: Targets.
        deviations: Prior standard deviation of each weight, around 0.
    """
    noise = max(float(np.var(values)), 1e-6)
    return np.asarray(np.linalg.solve(rows.T @ rows + np.diag(noise / deviations**2), rows.T @ values))


def _shared_features(situation: Situation) -> Matrix:
    """Shared features, one row for each tool: 1, gap to the best fit, own failures, failures of the best-fitting tool.

    A model is likely to choose the best-fitting tool without advice.
    """
    if not situation.tools:
        return np.zeros((0, SHARED))
    fits, failures = np.array(situation.fits), np.array(situation.failures)
    best = int(np.argmax(fits))
    return np.column_stack((np.ones(len(fits)), fits[best] - fits, failures, np.full(len(fits), failures[best])))


def _own_features(situation: Situation) -> Vector:
    """Features of the request, the same for all tools."""
    return np.array((1.0, *situation.topics))


def _rejected() -> AgentError:
    return AgentError(ErrorCode.POLICY_REJECTED, "Invalid advice policy: wrong shape or a number that is not finite.")
