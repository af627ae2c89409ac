"""Gymnasium environments of contextual tasks: one decision, or a tracking task that ends with a decision."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.learning.environments.contextual_tasks import ContextualTask
from reachy_agent_ros.learning.environments.spaces import Entries, Info, action_box, bounded, checked, observation_box
from reachy_agent_ros.learning.environments.specification import Split, Values
from reachy_agent_ros.learning.environments.tracking_environment import TrackingEnvironment


class ContextualEnvironment(gymnasium.Env[Entries, Entries]):
    """Environment of a contextual task, with episodes of one step. The reward is 1 for success, minus the error.

    The `info` dictionary has the same keys as in `TrackingEnvironment`.

    Args:
        task: The task.
        split: Split whose ranges the parameters are drawn from.
        fixed: Parameters with fixed values, by name.
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
        """Starts an episode with a random context."""
        super().reset(seed=seed)
        drawn = {each.name: each.draw(self._split, self.np_random) for each in self.task.parameters}
        self.parameters: Values = {**drawn, **self._fixed}
        self._context = self.task.context(self.parameters, self.np_random)
        return self._observation(), {**self._info(False, 0.0, 0.0), "parameters": {**self.parameters}}

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        """Evaluates one decision and ends the episode.

        Raises:
            AgentError: `INVALID_GOAL` or `NOT_FINITE` for an invalid action.
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


class JointEnvironment(gymnasium.Env[Entries, Entries]):
    """Environment that combines a tracking task and a decision. The episode succeeds only if both succeed.

    Observations and actions are concatenated. `error` is the tracking error of the body, rad; `cost` is the greater of
    the two costs.

    Args:
        tracking: Environment of the tracking task.
        contextual: Environment of the decision, of which only the last counts, except for the cost.
    """

    metadata = TrackingEnvironment.metadata

    def __init__(self, tracking: TrackingEnvironment, contextual: ContextualEnvironment) -> None:
        self.render_mode = tracking.render_mode
        self._tracking, self._contextual = tracking, contextual
        self._split = len(tracking.task.channels)
        parts = tracking.task.specification, contextual.task.specification
        self.observation_space = observation_box(sum(len(part.observation) for part in parts))
        self._size = sum(len(part.action) for part in parts)
        self.action_space = action_box(self._size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Entries, dict[str, Any]]:
        """Resets both environments."""
        super().reset(seed=seed)
        first, second = (int(number) for number in self.np_random.integers(2**31, size=2))
        body, info = self._tracking.reset(seed=first)
        context, decided = self._contextual.reset(seed=second)
        self._context = context
        info["parameters"] = {**info["parameters"], **decided["parameters"]}
        return np.concatenate([body, context]), info

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        """Moves the body. At the last step, the decision counts for the reward and for success.

        Raises:
            AgentError: Same as for the two environments.
        """
        entries = np.array(checked(action, self._size), dtype=np.float32)  # check all entries before anything moves
        body, reward, _, ended, info = self._tracking.step(entries[: self._split])
        _, decided, _, _, judged = self._contextual.step(entries[self._split :])
        info["cost"] = max(info["cost"], judged["cost"])
        if ended:
            reward += decided
            info["success"] = info["success"] and judged["success"]
        return np.concatenate([body, self._context]), reward, False, ended, info

    def render(self) -> NDArray[np.uint8] | None:
        """Returns an image of the robot; None if `render_mode` is not `rgb_array`.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE` if rendering is not possible.
        """
        return self._tracking.render()

    def close(self) -> None:
        """Closes both environments."""
        self._tracking.close()
        self._contextual.close()
