"""Episodes by number, so that training goes on after a kill with the episode that would have come next."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from reachy_agent_ros.learning.environments.registry import Environment
from reachy_agent_ros.learning.environments.spaces import Entries


class SeededEpisodes(gymnasium.Wrapper[Entries, Entries, Entries, Entries]):
    """Begins episode after episode, each with a seed of its own that its number determines.

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
