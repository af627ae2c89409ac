"""Creates the learner for a training configuration. Also defines how people take part in training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from numpy.typing import NDArray

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.conformance import Wild
from reachy_agent_ros.learning.environments.registry import Environment, expert_for, make
from reachy_agent_ros.learning.environments.specification import MOST_EPISODES, SHOWN, TaskPolicy
from reachy_agent_ros.learning.training.behavioral_cloning import BehavioralCloning, Cloning, DatasetAggregation, Gate
from reachy_agent_ros.learning.training.checkpoint import Arrays
from reachy_agent_ros.learning.training.configuration import Algorithm, TrainingConfiguration, device
from reachy_agent_ros.learning.training.demonstrations import DemonstrationEpisode, demonstrate, joined, task_length
from reachy_agent_ros.learning.training.gail import AdversarialImitation, Discriminator
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork, Shape
from reachy_agent_ros.learning.training.ppo import ProximalPolicyOptimization
from reachy_agent_ros.learning.training.preference import Comparer, PreferenceLearning, PreferenceModel
from reachy_agent_ros.learning.training.sac import SoftActorCritic
from reachy_agent_ros.learning.training.wrappers import Judge, RewardWeights, SeededEpisodes, WeightedReward

_WORKERS = 4

_EPOCHS = 200
"""Number of cloning passes over the demonstrations before PPO starts."""

_PLAYED = frozenset({Algorithm.POLICY_GRADIENT, Algorithm.ADVERSARIAL, Algorithm.PREFERENCE})
"""Algorithms based on PPO."""

_JUDGED_ALONE = RewardWeights(task=0.0, human=1.0)


@dataclass(frozen=True)
class People:
    """Functions and policies by which real or simulated people take part in training.

    Attributes:
        judge: Function that rates single actions, for the human part of the reward.
        expert: Policy that gives demonstrations; None for the scripted expert of the task.
        gate: Function that returns whether the expert takes over in DAgger; None for a random mixture.
        comparer: Function that compares two fragments.
    """

    judge: Judge | None = None
    expert: TaskPolicy | None = None
    gate: Gate | None = None
    comparer: Comparer | None = None


class Learner(Protocol):
    """Interface of learners, which train a policy in rounds."""

    @property
    def episodes(self) -> int:
        """Number of episodes played so far. For behavioral cloning, number of passes over the demonstrations."""
        ...

    @property
    def network(self) -> PolicyNetwork:
        """Current policy network."""
        ...

    def advance(self) -> dict[str, float]:
        """Trains for one round. Returns the figures of the round."""
        ...

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the learner's state after a round as arrays for a checkpoint."""
        ...

    def restore(self, arrays: Arrays) -> None:
        """Restores the learner's state from the result of `arrays`."""
        ...


def shown(configuration: TrainingConfiguration, people: People) -> list[DemonstrationEpisode]:
    """Generates the configured number of demonstrations with the expert."""
    first = SHOWN + MOST_EPISODES * configuration.seed
    seeds = range(first, first + configuration.demonstrations)
    if not seeds:
        return []
    expert = people.expert or expert_for(configuration.task)
    environment = WeightedReward(_environment(configuration), configuration.reward, people.judge)
    return demonstrate(environment, expert, seeds, task_length(configuration.task))


def learner(
    configuration: TrainingConfiguration,
    demonstrations: Sequence[DemonstrationEpisode],
    people: People,
    cloned: bool = True,
) -> Learner:
    """Creates the learner for a training run.

    Args:
        configuration: Configuration of the run.
        demonstrations: Training demonstrations.
        people: People who take part.
        cloned: Whether PPO starts as a clone of the demonstrations; False if a checkpoint will be restored.

    Raises:
        AgentError: `INVALID_GOAL` for demonstrations of another task or a device that does not exist; `NO_DATA` without
            the demonstrations (for SAC, with rewards) or the comparer that the algorithm requires.
    """
    torch.set_num_threads(1)  # the matrices are small, so more threads would only wait for each other
    torch.manual_seed(configuration.seed)
    seed, length = configuration.seed, task_length(configuration.task)
    place = device(configuration.device, configuration.algorithm in _PLAYED)
    start = _start(configuration, demonstrations)
    match configuration.algorithm:
        case Algorithm.CLONING:
            return Cloning(start.to(place), demonstrations, seed, configuration.episodes)
        case Algorithm.AGGREGATION:
            expert = people.expert or expert_for(configuration.task)
            (environment,) = _numbered(configuration, configuration.reward, people.judge, 1)
            cloning = BehavioralCloning(start.to(place), seed)
            return DatasetAggregation(environment, length, expert, cloning, demonstrations, people.gate)
        case Algorithm.SOFT_ACTOR_CRITIC:
            (environment,) = _numbered(configuration, configuration.reward, people.judge, 1)
            return SoftActorCritic(environment, demonstrations, start, seed, place)
        case Algorithm.ADVERSARIAL:
            discriminator = Discriminator(start).to(place)
            environments = _numbered(configuration, _JUDGED_ALONE, discriminator.judge)
            policy = ProximalPolicyOptimization(environments, length, start, seed, device=place)
            return AdversarialImitation(policy, discriminator, demonstrations, seed)
        case Algorithm.PREFERENCE:
            if people.comparer is None:
                raise AgentError(ErrorCode.NO_DATA, "Preference learning requires a comparer.")
            model = PreferenceModel(start).to(place)
            policy = ProximalPolicyOptimization(
                _numbered(configuration, _JUDGED_ALONE, model.judge), length, start, seed, device=place
            )
            return PreferenceLearning(policy, model, people.comparer, min(10, length), seed)
        case Algorithm.POLICY_GRADIENT:
            environments = _numbered(configuration, configuration.reward, people.judge)
            if not demonstrations:
                return ProximalPolicyOptimization(environments, length, start, seed, device=place)
            if cloned:
                BehavioralCloning(start, seed, _EPOCHS).fit(*joined(demonstrations))
            return ProximalPolicyOptimization(environments, length, start, seed, demonstrations, place)


def _start(configuration: TrainingConfiguration, demonstrations: Sequence[DemonstrationEpisode]) -> PolicyNetwork:
    """Creates an initial policy with small actions.

    Demonstrations or random episodes determine the standardization of its observations.
    """
    environment = _environment(configuration)
    spaces = (environment.observation_space.shape or (0,), environment.action_space.shape or (0,))
    shape = Shape(spaces[0][0], spaces[1][0])
    wild = Wild(environment, configuration.seed)
    known = demonstrations or demonstrate(
        environment, wild, range(configuration.seed, configuration.seed + 4), task_length(configuration.task)
    )
    observations, actions = joined(known)
    if (observations.shape[1], actions.shape[1]) != (shape.observations, shape.actions):
        message = f"The demonstrations do not fit {configuration.task}: the numbers of entries differ."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    network = PolicyNetwork(shape)
    network.standardize(observations)
    with torch.no_grad():
        network.head.weight.mul_(0.01)
        network.head.bias.zero_()
    return network


def _environment(configuration: TrainingConfiguration) -> Environment:
    return make(configuration.task, kinematic=configuration.kinematic)


def _numbered(
    configuration: TrainingConfiguration, weights: RewardWeights, judge: Judge | None, count: int = _WORKERS
) -> list[SeededEpisodes]:
    return [
        SeededEpisodes(WeightedReward(_environment(configuration), weights, judge), configuration.seed, worker)
        for worker in range(count)
    ]
