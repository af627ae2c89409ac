"""One layout for every tracking task, so that one policy can try them all, also those it has never seen."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from reachy_agent_ros.learning.environments.channel import Channel
from reachy_agent_ros.learning.environments.spaces import Entries, Info, action_box, checked, observation_box
from reachy_agent_ros.learning.environments.tracking_environment import TrackingEnvironment
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS

CHANNELS = tuple(Channel)
"""The channels of the layout, in their order; its blocks are `tracking_task.BLOCKS`."""


class WholeBody(gymnasium.Wrapper[Entries, Entries, Entries, Entries]):
    """Shows zeros for the channels that a task does not have, and drops what is asked of them. Words are not shown.

    Args:
        environment: Of a tracking task.
    """

    def __init__(self, environment: TrackingEnvironment) -> None:
        super().__init__(environment)
        self._places = [CHANNELS.index(channel) for channel in environment.task.channels]
        count = len(CHANNELS)
        self._shown = [block * count + place for block in range(len(BLOCKS)) for place in self._places]
        self.observation_space = observation_box(count * len(BLOCKS))
        self.action_space = action_box(count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Entries, dict[str, Any]]:
        """Begins an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._spread(observation), info

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        """Takes a step.

        Raises:
            AgentError: As the environment.
        """
        entries = np.array(checked(action, len(CHANNELS)), dtype=np.float32)
        observation, reward, terminated, truncated, info = self.env.step(entries[self._places])
        return self._spread(observation), float(reward), terminated, truncated, info

    def _spread(self, observation: Entries) -> Entries:
        spread = np.zeros(len(CHANNELS) * len(BLOCKS), dtype=np.float32)
        spread[self._shown] = observation[: len(self._shown)]
        return spread
