"""Demonstrations in a task: observations and actions of whole episodes, to learn from."""

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
    """One episode.

    Attributes:
        observations: One row a step before its action, and a last one after the last.
        actions: One row a step, -1..1.
        success: Whether the episode was one.
        rewards: One a step; None where nobody knows them, as of what a person showed.

    Raises:
        AgentError: `INVALID_GOAL` where there is no step or the rows do not match, `NOT_FINITE` for a number
            that is not finite, `OUT_OF_ENVELOPE` for an action beyond -1..1.
    """

    observations: Entries
    actions: Entries
    success: bool = True
    rewards: Entries | None = None

    def __post_init__(self) -> None:
        seen, done = self.observations, self.actions
        if seen.ndim != 2 or done.ndim != 2 or not 0 < len(done) == len(seen) - 1:
            message = f"A demonstration has a row a step and one observation more, not {seen.shape} and {done.shape}."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        if not (np.isfinite(seen).all() and np.isfinite(done).all()):
            raise AgentError(ErrorCode.NOT_FINITE, "The demonstration contains a number that is not finite.")
        if np.abs(done).max() > 1.0:
            raise AgentError(ErrorCode.OUT_OF_ENVELOPE, "The demonstration contains an action beyond -1..1.")


def demonstrate(
    environment: Environment, policy: TaskPolicy, seeds: Iterable[int], length: int
) -> list[DemonstrationEpisode]:
    """Has a policy play one episode a seed."""
    found = []
    for seed in seeds:
        episode = play(environment, policy, seed, length)
        rewards = np.array(episode.rewards, dtype=np.float32)
        found.append(DemonstrationEpisode(episode.observations, episode.actions, episode.success, rewards))
    return found


def joined(demonstrations: Sequence[DemonstrationEpisode]) -> tuple[Entries, Entries]:
    """All observations with an action and all actions, one row a step.

    Raises:
        AgentError: `NO_DATA` where there are none; `INVALID_GOAL` where they are of different tasks.
    """
    if not demonstrations:
        raise AgentError(ErrorCode.NO_DATA, "There are no demonstrations to learn from.")
    if len({(each.observations.shape[1], each.actions.shape[1]) for each in demonstrations}) > 1:
        raise AgentError(ErrorCode.INVALID_GOAL, "The demonstrations are of tasks of different shapes.")
    observations = np.concatenate([each.observations[:-1] for each in demonstrations])
    return observations, np.concatenate([each.actions for each in demonstrations])


def task_length(task: str) -> int:
    """Steps of an episode of a task that may be trained on.

    Raises:
        AgentError: `NOT_FOUND` for an unknown one, `POLICY_REJECTED` for one that is held out.
    """
    if task in TASKS:
        return TASKS[task].length
    if task in NOVEL_TASKS:
        raise AgentError(ErrorCode.POLICY_REJECTED, f"{task} is held out: nothing may be trained on it.")
    raise AgentError(ErrorCode.NOT_FOUND, f"There is no task {task!r:.60}, only: {', '.join(TASKS)}.")
