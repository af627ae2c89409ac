"""Training demonstrations: observations and actions of complete episodes of a task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.registry import NOVEL_TASKS, TASKS, Environment
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.specification import TaskPolicy


@dataclass(frozen=True)
class DemonstrationEpisode:
    """Demonstrated episode of a task.

    Attributes:
        observations: Observations before each step and after the last step, shape (steps + 1, entries).
        actions: Actions, -1..1, shape (steps, entries).
        success: Whether the episode succeeded.
        rewards: Reward of each step; None if unknown, for example if a person gave the demonstration.

    Raises:
        AgentError: `INVALID_GOAL` if there is no step or the shapes do not match, `NOT_FINITE` for a number that is not
            finite, `OUT_OF_ENVELOPE` for an action outside -1..1.
    """

    observations: Entries
    actions: Entries
    success: bool = True
    rewards: Entries | None = None

    def __post_init__(self) -> None:
        seen, done = self.observations, self.actions
        if seen.ndim != 2 or done.ndim != 2 or not 0 < len(done) == len(seen) - 1:
            message = (
                f"Invalid demonstration: expected one more observation than actions, not {seen.shape} and {done.shape}."
            )
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        if not (np.isfinite(seen).all() and np.isfinite(done).all()):
            raise AgentError(ErrorCode.NOT_FINITE, "Invalid demonstration: expected finite numbers.")
        if np.abs(done).max() > 1.0:
            raise AgentError(ErrorCode.OUT_OF_ENVELOPE, "Invalid demonstration: an action is outside -1..1.")


def demonstrate(
    environment: Environment, policy: TaskPolicy, seeds: Iterable[int], length: int
) -> list[DemonstrationEpisode]:
    """Plays one episode per seed with a policy. Returns the episodes as demonstrations."""
    found = []
    for seed in seeds:
        episode = play(environment, policy, seed, length)
        rewards = np.array(episode.rewards, dtype=np.float32)
        found.append(DemonstrationEpisode(episode.observations, episode.actions, episode.success, rewards))
    return found


def joined(demonstrations: Sequence[DemonstrationEpisode]) -> tuple[Entries, Entries]:
    """Concatenates the observations and actions of all demonstrations.

    Omits the last observation of each episode.

    Raises:
        AgentError: `NO_DATA` if there are none; `INVALID_GOAL` if their shapes differ.
    """
    if not demonstrations:
        raise AgentError(ErrorCode.NO_DATA, "There are no demonstrations to learn from.")
    if len({(each.observations.shape[1], each.actions.shape[1]) for each in demonstrations}) > 1:
        raise AgentError(ErrorCode.INVALID_GOAL, "Invalid demonstrations: they belong to tasks of different shapes.")
    observations = np.concatenate([each.observations[:-1] for each in demonstrations])
    return observations, np.concatenate([each.actions for each in demonstrations])


def task_length(task: str) -> int:
    """Returns the number of steps in an episode of a training task.

    Raises:
        AgentError: `NOT_FOUND` for an unknown task, `POLICY_REJECTED` for a held-out task.
    """
    if task in TASKS:
        return TASKS[task].length
    if task in NOVEL_TASKS:
        raise AgentError(ErrorCode.POLICY_REJECTED, f"{task} is a held-out task and must not be used for training.")
    raise AgentError(ErrorCode.NOT_FOUND, f"Unknown task {task!r:.60}: expected {', '.join(TASKS)}.")
