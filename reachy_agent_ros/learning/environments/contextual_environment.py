"""A task of one decision that can be tried."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from reachy_agent_ros.learning.environments.contextual_task import ContextualTask
from reachy_agent_ros.learning.environments.course import Values
from reachy_agent_ros.learning.environments.parameter import Split
from reachy_agent_ros.learning.environments.spaces import Entries, Info, action_box, bounded, checked, observation_box


class ContextualEnvironment(gymnasium.Env[Entries, Entries]):
    """An episode is one step; the reward is the error, negative, and 1 for a success. `info` as in tracking tasks.

    Args:
        task: What shall be done.
        split: Which range the parameters are drawn from.
        fixed: Parameters that are not drawn, by name.
    """

    def __init__(self, task: ContextualTask, split: Split, fixed: Values) -> None:
        self.task = task
        self._split = split
        self._fixed = fixed
        self.observation_space = observation_box(len(task.observation))
        self.action_space = action_box(len(task.action))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Entries, dict[str, Any]]:
        """Draws a context."""
        super().reset(seed=seed)
        drawn = {each.name: each.draw(self._split, self.np_random) for each in self.task.parameters}
        self.parameters: Values = {**drawn, **self._fixed}
        self._context = self.task.context(self.parameters, self.np_random)
        return self._observation(), {**self._info(False, 0.0, 0.0), "parameters": {**self.parameters}}

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        """Judges one decision.

        Raises:
            AgentError: `INVALID_GOAL` or `NOT_FINITE` for what is no action.
        """
        decision, cost = bounded(checked(action, len(self.task.action)))
        error = self.task.error(self._context, decision)
        success = error <= self.task.tolerance
        return self._observation(), success - error, True, False, self._info(success, cost, error)

    def _observation(self) -> Entries:
        return np.array(self._context, dtype=np.float32)

    @staticmethod
    def _info(success: bool, cost: float, error: float) -> Info:
        return {"success": success, "cost": cost, "error": error}
