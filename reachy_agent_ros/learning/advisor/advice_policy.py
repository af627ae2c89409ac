"""Advice policy: which tool to advise, and how often; and the rating model that it is made with.

Both are linear in features that all tools share and in features of which each tool has its own weights. The rating
model is a ridge regression of how requests are rated on what was advised.
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
"""Features whose weights all tools share, and of which each has its own: 1 and the topics."""

_TEMPERATURE = 0.05
"""Difference of the expected rating, -1..1, that makes one advice e times as likely as another."""

_MARGIN = 0.05
"""Expected rating that an advice must bring more than none: what brings nothing is not said."""

_BIAS = 0.5
"""Most that an expected rating counts: no tool is advised beyond all others, whatever was learned."""

_PRIOR_BASE, _PRIOR_SHARED, _PRIOR_OWN = 0.5, 0.5, 0.15
"""Standard deviations of the weights before anything was rated: of a request without advice, and of what an advice adds
for all tools and for one. A rating is -1..1."""


@dataclass(frozen=True)
class AdvicePolicy:
    """Gives each option a probability: a softmax over the rating that is expected beyond that of no advice.

    Attributes:
        shared: Weights of `SHARED`; None for a policy that never advises anything.
        own: Weights of `OWN`, by tool; one that is not there has none.
    """

    shared: Vector | None
    own: Mapping[str, Vector]

    def advantages(self, situation: Situation) -> Vector:
        """Rating that the advice of each tool is expected to bring beyond that of no advice."""
        if self.shared is None:
            return np.full(len(situation.tools), -np.inf)
        none = np.zeros(OWN)
        own = np.array([self.own.get(tool, none) for tool in situation.tools]).reshape(-1, OWN)
        return np.asarray(_shared_features(situation) @ self.shared + own @ _own_features(situation))

    def probabilities(self, situation: Situation) -> Vector:
        """Of each of the situation's options; they add up to 1."""
        bounded = np.minimum(self.advantages(situation), _BIAS)
        likely = np.exp(np.concatenate(([0.0], bounded - _MARGIN)) / _TEMPERATURE)
        return np.asarray(likely / likely.sum())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """For the store."""
        if self.shared is None:
            return {"shared": np.zeros(0)}
        names = np.frombuffer("\n".join(self.own).encode(), dtype=np.uint8)
        return {"shared": self.shared, "own": np.array([*self.own.values()]).reshape(-1, OWN), "tools": names}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> AdvicePolicy:
        """From the store.

        Raises:
            AgentError: `POLICY_REJECTED`: of another shape, or not finite.
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
"""Never advises anything."""


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
    def fitted(cls, choices: Sequence[AdvisedChoice], ratings: Vector) -> RatingModel:
        """The likeliest weights, given ratings that were logged.

        Args:
            choices: What was advised.
            ratings: -1..1, one a choice.
        """
        names = names_of(choices)
        rows = [
            np.concatenate((_own_features(one.situation), advice_features(one.situation, one.advised, names)))
            for one in choices
        ]
        weights = ridge(np.array(rows), ratings, np.concatenate((np.full(OWN, _PRIOR_BASE), priors(len(names)))))
        return cls(weights[:OWN], policy_of(weights[OWN:], names))

    def ratings(self, situation: Situation) -> Vector:
        """Expected of each of the situation's options."""
        base = float(_own_features(situation) @ self.base)
        return np.clip(base + np.concatenate(([0.0], self.added.advantages(situation))), -1.0, 1.0)


def explored(probabilities: Vector, exploration: float) -> Vector:
    """The probabilities of whoever follows a policy, but in a share of all requests draws any option alike.

    Args:
        probabilities: Of the policy.
        exploration: That share, 0..1.
    """
    return (1.0 - exploration) * probabilities + exploration / len(probabilities)


def names_of(choices: Sequence[AdvisedChoice]) -> list[str]:
    """All tools that might have been advised, in the order in which they come."""
    return list(dict.fromkeys(tool for choice in choices for tool in choice.situation.tools))


def advice_features(situation: Situation, tool: str, names: Sequence[str]) -> Vector:
    """What an advice adds is linear in these; all are 0 for no advice."""
    features = np.zeros(SHARED + OWN * len(names))
    if tool:
        begin = SHARED + OWN * names.index(tool)
        features[:SHARED] = _shared_features(situation)[situation.tools.index(tool)]
        features[begin : begin + OWN] = _own_features(situation)
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


def _shared_features(situation: Situation) -> Matrix:
    """One row a tool: 1, how much less it fits than the one that fits best, its failures, and those of that one.

    The one that fits best is what a model is likely to take by itself.
    """
    if not situation.tools:
        return np.zeros((0, SHARED))
    fits, failures = np.array(situation.fits), np.array(situation.failures)
    best = int(np.argmax(fits))
    return np.column_stack((np.ones(len(fits)), fits[best] - fits, failures, np.full(len(fits), failures[best])))


def _own_features(situation: Situation) -> Vector:
    """Of the request, alike for all tools."""
    return np.array((1.0, *situation.topics))


def _rejected() -> AgentError:
    return AgentError(ErrorCode.POLICY_REJECTED, "The policy of the choice of tools has another shape than is known.")
