"""Which tool to advise, and how often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.learning.advisor.situation import Situation
from reachy_agent_ros.learning.advisor.topics import TOPICS

SHARED, OWN = 4, 1 + TOPICS
"""Features whose weights all tools share, and of which each has its own: 1 and the topics."""

_TEMPERATURE = 0.05
"""Difference of the expected rating, -1..1, that makes one advice e times as likely as another."""

_MARGIN = 0.05
"""Expected rating that an advice must bring more than none: what brings nothing is not said."""

_BIAS = 0.5
"""Most that an expected rating counts: no tool is advised beyond all others, whatever was learned."""


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
        return np.asarray(shared_features(situation) @ self.shared + own @ own_features(situation))

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


def explored(probabilities: Vector, exploration: float) -> Vector:
    """The probabilities of whoever follows a policy, but in a share of all requests draws any option alike.

    Args:
        probabilities: Of the policy.
        exploration: That share, 0..1.
    """
    return (1.0 - exploration) * probabilities + exploration / len(probabilities)


def shared_features(situation: Situation) -> Matrix:
    """One row a tool: 1, how much less it fits than the one that fits best, its failures, and those of that one.

    The one that fits best is what a model is likely to take by itself.
    """
    if not situation.tools:
        return np.zeros((0, SHARED))
    fits, failures = np.array(situation.fits), np.array(situation.failures)
    best = int(np.argmax(fits))
    return np.column_stack((np.ones(len(fits)), fits[best] - fits, failures, np.full(len(fits), failures[best])))


def own_features(situation: Situation) -> Vector:
    """Of the request, alike for all tools."""
    return np.array((1.0, *situation.topics))


def _rejected() -> AgentError:
    return AgentError(ErrorCode.POLICY_REJECTED, "The policy of the choice of tools has another shape than is known.")
