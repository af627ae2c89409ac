"""Tests that every algorithm that acts in an environment learns a simple task within seconds."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch

from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.spaces import Entries, Info, action_box, observation_box
from reachy_agent_ros.learning.training.demonstrations import DemonstrationEpisode, demonstrate, joined
from reachy_agent_ros.learning.training.gail import AdversarialImitation, Discriminator
from reachy_agent_ros.learning.training.learner import Learner
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork, Shape
from reachy_agent_ros.learning.training.ppo import ProximalPolicyOptimization
from reachy_agent_ros.learning.training.preference import Fragment, PreferenceLearning, PreferenceModel
from reachy_agent_ros.learning.training.sac import SoftActorCritic
from reachy_agent_ros.learning.training.wrappers import Judge, RewardWeights, SeededEpisodes, WeightedReward

LENGTH = 10
STRIDE = 0.3


class Reaching(gymnasium.Env[Entries, Entries]):
    """Environment in which a point should move to zero on a line. The observation is the position of the point."""

    observation_space = observation_box(1)
    action_space = action_box(1)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Entries, Info]:
        super().reset(seed=seed)
        self._place, self._step = self.np_random.uniform(-1.0, 1.0), 0
        return np.array([self._place], np.float32), {}

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        self._place += STRIDE * float(np.clip(action[0], -1.0, 1.0))
        self._step += 1
        error = abs(self._place)
        info = {"success": error < 0.1, "cost": 0.0, "error": error}
        return np.array([self._place], np.float32), -error, False, self._step == LENGTH, info


class Expert:
    def action(self, observation: Entries) -> Entries:
        return np.clip(-observation / STRIDE, -1.0, 1.0)


def shown() -> list[DemonstrationEpisode]:
    return demonstrate(WeightedReward(Reaching(), RewardWeights()), Expert(), range(5), LENGTH)


def started(seed: int) -> PolicyNetwork:
    torch.manual_seed(seed)
    network = PolicyNetwork(Shape(1, 1, (32,)))
    network.standardize(joined(shown())[0])
    torch.nn.init.zeros_(network.head.weight)
    return network


def numbered(seed: int, judge: Judge | None = None) -> list[SeededEpisodes]:
    weights = RewardWeights(task=0.0) if judge else RewardWeights()
    return [SeededEpisodes(WeightedReward(Reaching(), weights, judge), seed, worker) for worker in range(4)]


def imitating(seed: int) -> Learner:
    start = started(seed)
    discriminator = Discriminator(start)
    policy = ProximalPolicyOptimization(numbered(seed, discriminator.judge), LENGTH, start, seed)
    return AdversarialImitation(policy, discriminator, shown(), seed)


def comparing(seed: int) -> Learner:
    def nearer(first: Fragment, second: Fragment) -> float:
        return float(np.abs(first.observations).sum() < np.abs(second.observations).sum())

    start = started(seed)
    model = PreferenceModel(start)
    policy = ProximalPolicyOptimization(numbered(seed, model.judge), LENGTH, start, seed)
    return PreferenceLearning(policy, model, nearer, 5, seed)


def criticized(seed: int) -> Learner:
    return SoftActorCritic(numbered(seed)[0], shown(), started(seed), seed, rate=4e-3)


def error(learner: Learner) -> float:
    """Returns the mean final error in twenty episodes with seeds that training does not use."""
    actor = learner.network.actor()
    return float(np.mean([play(Reaching(), actor, seed, LENGTH).error for seed in range(900, 920)]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    ("made", "episodes"),
    [pytest.param(imitating, 144, marks=pytest.mark.nightly), (comparing, 80), (criticized, 40)],
)
def test_every_training_algorithm_reduces_task_error(made: Callable[[int], Learner], episodes: int, seed: int) -> None:
    torch.set_num_threads(1)
    learner = made(seed)
    while learner.episodes < episodes:
        learner.advance()
    assert error(learner) < 0.1
