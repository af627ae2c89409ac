"""Two tasks at once: the body follows, and at the end the one decision is judged."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.learning.environments.contextual_environment import ContextualEnvironment
from reachy_agent_ros.learning.environments.spaces import Entries, Info, action_box, checked, observation_box
from reachy_agent_ros.learning.environments.tracking_environment import TrackingEnvironment


class JointEnvironment(gymnasium.Env[Entries, Entries]):
    """Observations and actions are those of the two, one after the other; both must succeed.

    `error` is the body's, in rad; `cost` is 1 where either costs.

    Args:
        tracking: What the body does.
        contextual: What is decided; the action of the last step counts.
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
        """Begins both."""
        super().reset(seed=seed)
        first, second = (int(number) for number in self.np_random.integers(2**31, size=2))
        body, info = self._tracking.reset(seed=first)
        context, decided = self._contextual.reset(seed=second)
        self._context = context
        info["parameters"] = {**info["parameters"], **decided["parameters"]}
        return np.concatenate([body, context]), info

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        """Moves; judges the decision with the last step.

        Raises:
            AgentError: As its parts.
        """
        entries = np.array(checked(action, self._size), dtype=np.float32)  # both, before either moves
        body, reward, _, ended, info = self._tracking.step(entries[: self._split])
        _, decided, _, _, judged = self._contextual.step(entries[self._split :])
        info["cost"] = max(info["cost"], judged["cost"])
        if ended:
            reward += decided
            info["success"] = info["success"] and judged["success"]
        return np.concatenate([body, self._context]), reward, False, ended, info

    def render(self) -> NDArray[np.uint8] | None:
        """A picture of the robot, where `render_mode` asks for one."""
        return self._tracking.render()

    def close(self) -> None:
        """Closes both."""
        self._tracking.close()
        self._contextual.close()
