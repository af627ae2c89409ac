"""Wrappers for training environments. They seed episodes, and combine rewards from task, people and safety."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.registry import Environment
from reachy_agent_ros.learning.environments.spaces import Entries, Info
from reachy_agent_ros.learning.environments.specification import is_held_out

Judge = Callable[[Entries, Entries], float]
"""Function that returns a reward given by a person or a model, for an action and the observation before it."""


_BEYOND = 2**32
"""Number above all randomly drawn seeds. Added to a seed that is reserved for validations and tests."""


class SeededEpisodes(gymnasium.Wrapper[Entries, Entries, Entries, Entries]):
    """Wrapper that seeds each episode by its number, so that a resumed training run continues with the next episode.

    Args:
        environment: Environment to wrap.
        seed: Seed of the run.
        worker: Index of the environment in the run.

    Attributes:
        number: Number of the next episode; can be set.
    """

    def __init__(self, environment: Environment, seed: int, worker: int = 0) -> None:
        super().__init__(environment)
        self.number = 0
        self._seed = seed
        self._worker = worker

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Entries, dict[str, Any]]:
        """Starts the next episode. Ignores `seed`."""
        drawn = int(np.random.SeedSequence((self._seed, self._worker, self.number)).generate_state(1)[0])
        self.number += 1
        return self.env.reset(seed=drawn + _BEYOND if is_held_out(drawn) else drawn, options=options)


@dataclass(frozen=True)
class RewardWeights:
    """Weights of the parts of a training reward.

    Attributes:
        task: Weight of the reward of the environment.
        human: Weight of the reward given by the judge.
        safety: Weight of the cost, which is subtracted.

    Raises:
        AgentError: `INVALID_GOAL` for a weight that is negative or not finite, so that danger is never rewarded.
    """

    task: float = 10.0
    human: float = 1.0
    safety: float = 1.0

    def __post_init__(self) -> None:
        if not all(math.isfinite(weight) and weight >= 0.0 for weight in (self.task, self.human, self.safety)):
            raise AgentError(ErrorCode.INVALID_GOAL, "Invalid reward weights: expected finite numbers of at least 0.")


class WeightedReward(gymnasium.Wrapper[Entries, Entries, Entries, Entries]):
    """Wrapper that replaces the reward by a weighted sum of task reward, people's ratings and safety cost.

    `info["reward_parts"]` contains the unweighted parts.

    Args:
        environment: Environment to wrap.
        weights: Weights of the parts.
        judge: Function that rates every action; None for no human part.
    """

    def __init__(self, environment: Environment, weights: RewardWeights, judge: Judge | None = None) -> None:
        super().__init__(environment)
        self._weights = weights
        self._judge = judge

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Entries, dict[str, Any]]:
        """Starts an episode."""
        self._observation, info = self.env.reset(seed=seed, options=options)
        return self._observation, info

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        """Performs a step and returns the weighted reward."""
        human = self._judge(self._observation, action) if self._judge else 0.0
        self._observation, task, terminated, truncated, info = self.env.step(action)
        weights, cost = self._weights, info["cost"]
        reward = weights.task * float(task) + weights.human * human - weights.safety * cost
        info = {**info, "reward_parts": {"task": float(task), "human": human, "safety": -cost}}
        return self._observation, reward, terminated, truncated, info
