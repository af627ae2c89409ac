"""Part of `imitation_check.py` that trains with the library `imitation`, in a separate environment.

`imitation_check.py` runs `python imitation_library.py DEMONSTRATIONS.npz RESULTS.npz` in that environment.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import stable_baselines3
import torch
from imitation.algorithms.adversarial.gail import GAIL
from imitation.algorithms.bc import BC
from imitation.data.types import Transitions
from imitation.rewards.reward_nets import BasicRewardNet
from imitation.util.logger import configure
from imitation.util.networks import RunningNorm
from numpy.typing import NDArray
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn

from evaluation.learning.imitation_task import EPISODES, EPOCHS, SEEDS, TASK, WORKERS, Judged, judged
from reachy_agent_ros.learning.environments.registry import TASKS, make
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork, Shape, Standardized

Shown = dict[str, NDArray[Any]]


class Predicting:
    """Policy that takes the actions of a stable-baselines3 policy without random noise."""

    def __init__(self, policy: ActorCriticPolicy) -> None:
        self._policy = policy

    def action(self, observation: Entries) -> Entries:
        """Returns the actions of the policy."""
        chosen, _ = self._policy.predict(observation, deterministic=True)
        return np.asarray(chosen, dtype=np.float32)


def cloned(shown: Shown, seed: int) -> Predicting:
    """Trains a policy with the behavioral cloning of the library."""
    environment = make(TASK)
    spaces = environment.observation_space, environment.action_space
    policy = ActorCriticPolicy(*spaces, lambda _: 1e-3, **_network(shown))
    cloning = BC(
        observation_space=spaces[0],
        action_space=spaces[1],
        rng=np.random.default_rng(seed),
        policy=policy,
        demonstrations=_transitions(shown),
        batch_size=64,
        device="cpu",
        custom_logger=configure(format_strs=[]),
    )
    cloning.train(n_epochs=EPOCHS, progress_bar=False)
    return Predicting(policy)


def imitated(shown: Shown, seed: int) -> Predicting:
    """Trains a policy with the library's adversarial imitation. PPO has the same parameters as ours."""
    environments, length = DummyVecEnv([lambda: make(TASK)] * WORKERS), TASKS[TASK].length
    environments.seed(seed)
    model = stable_baselines3.PPO(
        "MlpPolicy",
        environments,
        learning_rate=1e-3,
        n_steps=length,
        batch_size=length,
        gamma=0.9,
        gae_lambda=0.9,
        target_kl=0.05,
        seed=seed,
        device="cpu",
        policy_kwargs={**_network(shown), "log_std_init": -1.0},
    )
    trainer = GAIL(
        demonstrations=_transitions(shown),
        demo_batch_size=64,
        venv=environments,
        gen_algo=model,
        reward_net=BasicRewardNet(
            environments.observation_space,
            environments.action_space,
            hid_sizes=(32, 32),
            normalize_input_layer=RunningNorm,
        ),
        n_disc_updates_per_round=20,
        disc_opt_kwargs={"lr": 1e-3},
        custom_logger=configure(format_strs=[]),
    )
    trainer.train(EPISODES * length)
    return Predicting(model.policy)


def _network(shown: Shown) -> dict[str, Any]:
    start = PolicyNetwork(Shape(shown["observations"].shape[2], shown["actions"].shape[2]))
    start.standardize(shown["observations"][:, :-1].reshape(-1, start.shape.observations))
    return {
        "net_arch": list(start.shape.hidden),
        "activation_fn": nn.Tanh,
        "features_extractor_class": Standardized,
        "features_extractor_kwargs": {"start": start},
    }


def _transitions(shown: Shown) -> Transitions:
    observations, actions = shown["observations"], shown["actions"]
    count, length, _ = actions.shape
    ended = np.tile(np.arange(length) == length - 1, count)
    before, after = (each.reshape(count * length, -1) for each in (observations[:, :-1], observations[:, 1:]))
    infos = np.array([{}] * len(before))
    return Transitions(before, actions.reshape(count * length, -1), infos, after, ended)


def learn(given: Path, results: Path) -> None:
    """Learns from the demonstrations with each seed and stores the results."""
    torch.set_num_threads(1)
    shown = dict(np.load(given))
    found: dict[str, list[Judged]] = {"bc": [], "gail": []}
    for seed in SEEDS:
        torch.manual_seed(seed)
        found["bc"].append(judged(cloned(shown, seed), shown["held_out"]))
        found["gail"].append(judged(imitated(shown, seed), shown["held_out"]))
    rows = {
        f"{algorithm}/{name}": np.array([getattr(each, name) for each in every])
        for algorithm, every in found.items()
        for name in ("successes", "returns", "actions")
    }
    np.savez(results, allow_pickle=False, **rows)


if __name__ == "__main__":
    learn(*map(Path, sys.argv[1:]))
