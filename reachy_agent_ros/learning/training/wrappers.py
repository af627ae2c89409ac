"""Wrappers of training environments: seeded episodes, and the weighted reward of task, people and safety."""

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

Judge = Callable[[Entries, Entries], float]
"""Reward of an action, from the observation before it: what a person or a model of one thinks of it."""


class SeededEpisodes(gymnasium.Wrapper[Entries, Entries, Entries, Entries]):
    """Begins episode after episode, each with a seed of its own that its number determines.

    So training goes on after a kill with the episode that would have come next.

    Args:
        environment: What is tried.
        seed: Of the run.
        worker: Which of the environments of the run this is.

    Attributes:
        number: Of the next episode; may be set.
    """

    def __init__(self, environment: Environment, seed: int, worker: int = 0) -> None:
        super().__init__(environment)
        self.number = 0
        self._seed = seed
        self._worker = worker

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Entries, dict[str, Any]]:
        """Begins the next episode. The seed that a library proposes is of no account."""
        entropy = (self._seed, self._worker, self.number)
        self.number += 1
        return self.env.reset(seed=int(np.random.SeedSequence(entropy).generate_state(1)[0]), options=options)


@dataclass(frozen=True)
class RewardWeights:
    """What counts how much.

    Attributes:
        task: Of the environment's own reward.
        human: Of what the judge says.
        safety: Of the cost, which is subtracted.

    Raises:
        AgentError: `INVALID_GOAL` for a weight that is negative or not finite: danger is never rewarded.
    """

    task: float = 10.0
    human: float = 1.0
    safety: float = 1.0

    def __post_init__(self) -> None:
        if not all(math.isfinite(weight) and weight >= 0.0 for weight in (self.task, self.human, self.safety)):
            raise AgentError(ErrorCode.INVALID_GOAL, "Weights of rewards are finite and not negative.")


class WeightedReward(gymnasium.Wrapper[Entries, Entries, Entries, Entries]):
    """The environment with the reward of the task, of what people think of it, and of safety.

    `info["reward_parts"]` has the parts before their weights.

    Args:
        environment: What is tried.
        weights: Of the parts.
        judge: Who judges every action; None where nobody does.
    """

    def __init__(self, environment: Environment, weights: RewardWeights, judge: Judge | None = None) -> None:
        super().__init__(environment)
        self._weights = weights
        self._judge = judge

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Entries, dict[str, Any]]:
        """Begins an episode."""
        self._observation, info = self.env.reset(seed=seed, options=options)
        return self._observation, info

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        """One step."""
        human = self._judge(self._observation, action) if self._judge else 0.0
        self._observation, task, terminated, truncated, info = self.env.step(action)
        weights, cost = self._weights, info["cost"]
        reward = weights.task * float(task) + weights.human * human - weights.safety * cost
        info = {**info, "reward_parts": {"task": float(task), "human": human, "safety": -cost}}
        return self._observation, reward, terminated, truncated, info
