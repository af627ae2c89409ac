"""A policy whose rewards are given by a judge that learns too."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from reachy_agent_ros.learning.training.checkpoint import Arrays
from reachy_agent_ros.learning.training.learner_state import LearnerState
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork
from reachy_agent_ros.learning.training.ppo import ProximalPolicyOptimisation


class JudgedPolicy:
    """What every `training.learner.Learner` of this kind has besides its rounds.

    Args:
        policy: Learns; the judge is that of its environments.
        state: Of the judge, and of how it learns.
    """

    def __init__(self, policy: ProximalPolicyOptimisation, state: LearnerState) -> None:
        self._policy = policy
        self._state = state

    @property
    def network(self) -> PolicyNetwork:
        """The policy as it is."""
        return self._policy.network

    @property
    def episodes(self) -> int:
        """How many were played."""
        return self._policy.episodes

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Its state between two rounds."""
        return {**self._state.arrays(), **self._policy.arrays()}

    def restore(self, arrays: Arrays) -> None:
        """Goes on where another one was.

        Raises:
            AgentError: `POLICY_REJECTED` for another shape.
        """
        self._state.restore(arrays)
        self._policy.restore(arrays)
