"""Checks environments by playing episodes, in addition to `gymnasium.utils.env_checker.check_env`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.environments.registry import Environment
from reachy_agent_ros.learning.environments.spaces import Entries, Info
from reachy_agent_ros.learning.environments.specification import TaskPolicy

_INFO = {"success": bool, "cost": float, "error": float}


@dataclass(frozen=True)
class ConformanceEpisode:
    """Recorded episode of a conformance check or an evaluation.

    Attributes:
        observations: Observations, one per row: the first is returned by the reset, the others by the steps.
        actions: Actions, one row for each step.
        rewards: Reward of each step.
        cost: Sum of the costs of all steps.
        success: Whether the last step reported success.
        error: Error of the last step.
        ended: Whether the episode ended within the maximum number of steps.
        infos: Info dictionary of each step.
    """

    observations: Entries
    actions: Entries
    rewards: tuple[float, ...]
    cost: float
    success: bool
    error: float
    ended: bool
    infos: tuple[Info, ...]


def play(environment: Environment, policy: TaskPolicy, seed: int, length: int) -> ConformanceEpisode:
    """Plays one episode of at most `length` steps."""
    observation, _ = environment.reset(seed=seed)
    observations = [observation]
    actions: list[Entries] = []
    rewards: list[float] = []
    infos: list[Info] = []
    ended = False
    while not ended and len(rewards) < length:
        actions.append(policy.action(observation))
        observation, reward, terminated, truncated, info = environment.step(actions[-1])
        observations.append(observation)
        rewards.append(float(reward))
        infos.append(info)
        ended = terminated or truncated
    last = infos[-1]
    return ConformanceEpisode(
        np.array(observations),
        np.array(actions),
        tuple(rewards),
        sum(info["cost"] for info in infos),
        last["success"],
        last["error"],
        ended,
        tuple(infos),
    )


class Wild:
    """Policy with uniformly random actions.

    Args:
        environment: Environment that defines the size of the actions.
        seed: Random seed.
    """

    def __init__(self, environment: Environment, seed: int) -> None:
        self._generator = np.random.default_rng(seed)
        self._size = environment.action_space.shape or (0,)

    def action(self, observation: Entries) -> Entries:
        """Returns a random action."""
        return self._generator.uniform(-1.0, 1.0, self._size).astype(np.float32)


def objections(environment: Environment, expert: TaskPolicy, length: int, seeds: Sequence[int]) -> tuple[str, ...]:
    """Checks an environment by playing episodes. Returns one sentence for each defect that was found.

    Args:
        environment: Environment to check; not closed.
        expert: Policy that must succeed with zero cost.
        length: Maximum number of steps of an episode.
        seeds: Seeds of the episodes, at least one.
    """
    return (
        *_of_spaces(environment),
        *_of_seeds(environment, length, seeds),
        *_of_the_expert(environment, expert, length, seeds),
        *_of_bad_actions(environment, expert, length, seeds[0]),
    )


def _of_spaces(environment: Environment) -> Iterator[str]:
    for space in (environment.observation_space, environment.action_space):
        if not isinstance(space, Box) or space.dtype != np.float32 or not space.is_bounded():
            yield f"{space} is not a bounded box of float32"
    action = environment.action_space
    if isinstance(action, Box) and not ((action.low == -1.0).all() and (action.high == 1.0).all()):
        yield f"actions are not from -1 to 1: {action}"


def _of_seeds(environment: Environment, length: int, seeds: Sequence[int]) -> Iterator[str]:
    """Checks that equal seeds yield equal episodes, and that observations, rewards and length are valid."""
    first = play(environment, Wild(environment, 1), seeds[0], length)
    play(environment, Wild(environment, 2), seeds[-1] + 1, max(1, length // 2))  # deliberately left unfinished
    second = play(environment, Wild(environment, 1), seeds[0], length)
    if not np.array_equal(first.observations, second.observations) or first.rewards != second.rewards:
        yield "the same seed and actions gave different results the second time"
    other, _ = environment.reset(seed=seeds[0] + 1000)
    if np.array_equal(first.observations[0], other):
        yield "another seed started the same episode"
    for observation in first.observations:
        if not environment.observation_space.contains(observation):
            yield f"an observation is outside its space: {observation}"
            break
    if not np.isfinite(first.rewards).all():
        yield "a reward is not finite"
    if not first.ended:
        yield f"an episode did not end within {length} steps"


def _of_the_expert(environment: Environment, expert: TaskPolicy, length: int, seeds: Sequence[int]) -> Iterator[str]:
    for seed in seeds:
        episode = play(environment, expert, seed, length)
        for info in episode.infos:
            if not all(type(info.get(key)) is kind for key, kind in _INFO.items()):
                yield f"info lacks success, cost or error of the right types: {info}"
                break
        if not episode.success:
            yield f"the expert failed with seed {seed}, with a final error of {episode.error:.3f}"
        if episode.cost:
            yield f"the expert's actions cost {episode.cost:g} with seed {seed}"


def _of_bad_actions(environment: Environment, expert: TaskPolicy, length: int, seed: int) -> Iterator[str]:
    """Checks that invalid actions are rejected and leave the state unchanged."""
    size = environment.action_space.shape or (0,)
    untouched = play(environment, expert, seed, length)
    observation, _ = environment.reset(seed=seed)
    bad: Sequence[Any] = (np.full(size, np.nan, np.float32), np.zeros(size[0] + 1, np.float32), np.float32(0.0))
    for action in bad:
        try:
            environment.step(action)
            yield f"the invalid action {action} was accepted"
        except AgentError:
            continue
    after, *_ = environment.step(expert.action(observation))
    if not np.array_equal(after, untouched.observations[1]):
        yield "a rejected action has changed the state"
