"""Advice policy, which assigns a probability to each tool suggestion, and the rating model for learning it.

Both are linear models. Some features have weights shared by all tools, others have separate weights for each tool. The
rating model is a ridge regression on the ratings of requests.
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
"""Number of features with shared weights, and number of features with weights for each tool (a constant 1 and the
topics)."""

_TEMPERATURE = 0.05
"""Difference in expected rating that makes one suggestion e times as likely as another."""

_MARGIN = 0.05
"""Advantage that a suggestion must have over no suggestion, in units of the rating."""

_BIAS = 0.5
"""Upper limit of an advantage, so that no tool can dominate all others."""

_PRIOR_BASE, _PRIOR_SHARED, _PRIOR_OWN = 0.5, 0.5, 0.15
"""Prior standard deviations of the weights: for the rating without a suggestion, for the shared part of a suggestion's
advantage, and for the part of each tool. Ratings are -1..1."""


@dataclass(frozen=True)
class AdvicePolicy:
    """Softmax policy over the suggestions, based on their expected advantages over making no suggestion.

    Attributes:
        shared: Weights of the shared features, shape [SHARED]; None for a policy that never makes a suggestion.
        own: Weights for each tool, shape [OWN]; tools that are missing have zero weights.
    """

    shared: Vector | None
    own: Mapping[str, Vector]

    def advantages(self, situation: Situation) -> Vector:
        """Returns the expected gain in rating from suggesting each tool, compared with no suggestion."""
        if self.shared is None:
            return np.full(len(situation.tools), -np.inf)
        none = np.zeros(OWN)
        own = np.array([self.own.get(tool, none) for tool in situation.tools]).reshape(-1, OWN)
        return np.asarray(_shared_features(situation) @ self.shared + own @ _own_features(situation))

    def probabilities(self, situation: Situation) -> Vector:
        """Returns the probability of each option of the situation. The probabilities sum to 1."""
        bounded = np.minimum(self.advantages(situation), _BIAS)
        likely = np.exp(np.concatenate(([0.0], bounded - _MARGIN)) / _TEMPERATURE)
        return np.asarray(likely / likely.sum())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the weights as arrays for the policy store."""
        if self.shared is None:
            return {"shared": np.zeros(0)}
        names = np.frombuffer("\n".join(self.own).encode(), dtype=np.uint8)
        return {"shared": self.shared, "own": np.array([*self.own.values()]).reshape(-1, OWN), "tools": names}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> AdvicePolicy:
        """Creates a policy from the result of `arrays`.

        Raises:
            AgentError: `POLICY_REJECTED` for a wrong shape or a number that is not finite.
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
"""Policy that never suggests a tool."""


@dataclass(frozen=True)
class RatingModel:
    """Regression model of the expected rating of each suggestion.

    Attributes:
        base: Weights of the request's features for the rating without a suggestion, shape [OWN].
        added: Model of the advantage of each suggestion.
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
        """Returns the expected rating (-1 to 1) of each option of the situation."""
        base = float(_own_features(situation) @ self.base)
        return np.clip(base + np.concatenate(([0.0], self.added.advantages(situation))), -1.0, 1.0)


def explored(probabilities: Vector, exploration: float) -> Vector:
    """Mixes the probabilities of a policy with uniform exploration.

    Args:
        probabilities: Probabilities of the policy.
        exploration: Share of requests with a uniformly random option, 0..1.
    """
    return (1.0 - exploration) * probabilities + exploration / len(probabilities)


def names_of(choices: Sequence[AdvisedChoice]) -> list[str]:
    """Returns all candidate tools of the given choices, in order of first appearance."""
    return list(dict.fromkeys(tool for choice in choices for tool in choice.situation.tools))


def advice_features(situation: Situation, tool: str, names: Sequence[str]) -> Vector:
    """Returns the features of a suggestion, from which a linear model predicts its advantage.

    All features are zero if no tool is suggested.
    """
    features = np.zeros(SHARED + OWN * len(names))
    if tool:
        begin = SHARED + OWN * names.index(tool)
        features[:SHARED] = _shared_features(situation)[situation.tools.index(tool)]
        features[begin : begin + OWN] = _own_features(situation)
    return features


def priors(tools: int) -> Vector:
    """Returns the prior standard deviations of the weights of `advice_features`."""
    return np.concatenate((np.full(SHARED, _PRIOR_SHARED), np.full(OWN * tools, _PRIOR_OWN)))


def policy_of(weights: Vector, names: Sequence[str]) -> AdvicePolicy:
    """Creates a policy from the weights of `advice_features`."""
    own = weights[SHARED:].reshape(len(names), OWN)
    return AdvicePolicy(weights[:SHARED], dict(zip(names, own, strict=True)))


def ridge(rows: Matrix, values: Vector, deviations: Vector) -> Vector:
    """Returns the maximum a posteriori weights of a linear regression.

    The variance of the targets serves as the variance of the noise.

    Args:
        rows: Features, one row for each value.
        values: Targets.
        deviations: Prior standard deviation of each weight; the prior mean is 0.
    """
    noise = max(float(np.var(values)), 1e-6)
    return np.asarray(np.linalg.solve(rows.T @ rows + np.diag(noise / deviations**2), rows.T @ values))


def _shared_features(situation: Situation) -> Matrix:
    """Returns the features with weights that are common to all tools, one row for each tool.

    The columns are 1, the gap to the best fit, the tool's failures, and the failures of the best-fitting tool. Without
    a suggestion, a language model is likely to choose the best-fitting tool.
    """
    if not situation.tools:
        return np.zeros((0, SHARED))
    fits, failures = np.array(situation.fits), np.array(situation.failures)
    best = int(np.argmax(fits))
    return np.column_stack((np.ones(len(fits)), fits[best] - fits, failures, np.full(len(fits), failures[best])))


def _own_features(situation: Situation) -> Vector:
    """Returns the features of the request, which do not depend on the tool."""
    return np.array((1.0, *situation.topics))


def _rejected() -> AgentError:
    message = "Invalid advice policy: its weights have a wrong shape or are not finite."
    return AgentError(ErrorCode.POLICY_REJECTED, message)
