"""Shared settings of `imitation_check.py`: the task, the amount of training, and the evaluation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.registry import TASKS, make
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.specification import TESTED, TaskPolicy

TASK = "look_at"
SEEDS = range(3)
EPOCHS = 300
EPISODES, WORKERS = 300, 4
_JUDGED = range(TESTED, TESTED + 50)


@dataclass(frozen=True)
class Judged:
    """Results of one policy.

    Attributes:
        successes: Success of each episode; all policies have the same episodes.
        returns: Return of each episode.
        actions: Actions at held-out observations, one per row, clipped to -1..1.
    """

    successes: NDArray[np.bool_]
    returns: NDArray[np.float64]
    actions: Entries


def judged(policy: TaskPolicy, held_out: Entries) -> Judged:
    """Evaluates a policy."""
    environment, length = make(TASK), TASKS[TASK].length
    episodes = [play(environment, policy, seed, length) for seed in _JUDGED]
    return Judged(
        np.array([each.success for each in episodes]),
        np.array([sum(each.rewards) for each in episodes]),
        np.clip([policy.action(each) for each in held_out], -1.0, 1.0),
    )
