"""Soft actor-critic (Haarnoja et al., 2018) with stable-baselines3.

Half of every batch consists of demonstrations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import stable_baselines3
import torch
from numpy.typing import NDArray
from stable_baselines3.common.buffers import ReplayBuffer
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.type_aliases import ReplayBufferSamples
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn
from torch.optim import Optimizer

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.training.checkpoint import Arrays
from reachy_agent_ros.learning.training.demonstrations import DemonstrationEpisode
from reachy_agent_ros.learning.training.learner_state import LearnerState
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork, Standardized
from reachy_agent_ros.learning.training.wrappers import SeededEpisodes

_KEPT = ("observations", "next_observations", "actions", "rewards", "dones", "timeouts")
_CAPACITY = 50_000


class HalfDemonstrated(ReplayBuffer):
    """Replay buffer that draws half of every batch from a buffer of demonstrations (RLPD, Ball et al., 2023)."""

    demonstrated: ReplayBuffer

    def sample(self, batch_size: int, env: Any = None) -> ReplayBufferSamples:
        """Draws a batch, half of it from the demonstrations."""
        half = batch_size // 2
        own, shown = super().sample(batch_size - half, env), self.demonstrated.sample(half, env)
        pairs = zip(own, shown, strict=True)
        return ReplayBufferSamples(*(torch.cat([a, b]) for a, b in pairs if a is not None and b is not None))


class SoftActorCritic:
    """SAC learner that plays one episode in each round. Makes one gradient step per environment step.

    Training starts from random weights: a cloned policy would be forgotten within 20 episodes, because its critic is
    untrained.

    Args:
        environment: Training environment.
        demonstrations: Demonstrations with rewards of the same kind as those of the environment.
        start: Policy that provides the standardization of observations and the shape.
        seed: Random seed.
        device: PyTorch name of the device.
        rate: Learning rate of Adam.

    Raises:
        AgentError: `NO_DATA` without demonstrations that have rewards.
    """

    def __init__(
        self,
        environment: SeededEpisodes,
        demonstrations: Sequence[DemonstrationEpisode],
        start: PolicyNetwork,
        seed: int,
        device: str = "cpu",
        rate: float = 1e-3,
    ) -> None:
        self.episodes = 0
        self._environment, self._start = environment, start
        self._model = stable_baselines3.SAC(
            "MlpPolicy",
            DummyVecEnv([lambda: environment]),
            learning_rate=rate,
            buffer_size=_CAPACITY,
            learning_starts=0,
            batch_size=128,
            gamma=0.9,
            train_freq=(1, "episode"),
            gradient_steps=-1,
            replay_buffer_class=HalfDemonstrated,
            seed=seed,
            device=device,
            policy_kwargs={
                "net_arch": list(start.shape.hidden),
                "activation_fn": nn.Tanh,
                "features_extractor_class": Standardized,
                "features_extractor_kwargs": {"start": start},
            },
        )
        self._model.set_logger(Logger(None, []))  # the default logger creates a folder in /tmp every round
        self._buffer = cast(HalfDemonstrated, self._model.replay_buffer)
        self._buffer.demonstrated = _demonstrated(demonstrations, self._model)
        model = self._model
        self._log_entropy = cast(torch.Tensor, model.log_ent_coef)
        self._state = LearnerState(
            {"policy": model.policy, "entropy": nn.ParameterDict({"log": self._log_entropy})},
            {
                "actor_adam": model.actor.optimizer,
                "critic_adam": model.critic.optimizer,
                "entropy_adam": cast(Optimizer, model.ent_coef_optimizer),
            },
        )

    @property
    def network(self) -> PolicyNetwork:
        """Current policy, without exploration noise."""
        found = PolicyNetwork.blank(self._start.shape, squashed=True)
        found.mean.copy_(self._start.mean)
        found.scale.copy_(self._start.scale)
        found.body.load_state_dict(self._model.actor.latent_pi.state_dict())
        found.head.load_state_dict(self._model.actor.mu.state_dict())
        return found

    def advance(self) -> dict[str, float]:
        """Plays one episode and trains on it. Returns the figures of the round."""
        before = self._buffer.pos
        self._model.learn(1, reset_num_timesteps=False)
        self.episodes += 1
        played = (self._buffer.pos - before) % self._buffer.buffer_size
        rewards = np.take(self._buffer.rewards, range(before, before + played), axis=0, mode="wrap")
        return {"reward": float(rewards.sum()), "entropy": float(self._log_entropy.detach().exp())}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the learner's state after a round as arrays for a checkpoint."""
        size = self._buffer.size()
        kept = {f"buffer/{name}": getattr(self._buffer, name)[:size].copy() for name in _KEPT}
        counters = {
            "episodes": np.array(self.episodes),
            "buffer/place": np.array([self._buffer.pos, self._buffer.full]),
        }
        return {**self._state.arrays(), **kept, **counters}

    def restore(self, arrays: Arrays) -> None:
        """Restores the learner's state from the result of `arrays`. Call it before the first round.

        Raises:
            AgentError: `POLICY_REJECTED` for a different shape.
        """
        self._state.restore(arrays)
        for name in _KEPT:
            rows = arrays[f"buffer/{name}"]
            getattr(self._buffer, name)[: len(rows)] = rows
        place, full = arrays["buffer/place"].tolist()
        self._buffer.pos, self._buffer.full = place, bool(full)
        self.episodes = self._environment.number = int(arrays["episodes"])


def _demonstrated(demonstrations: Sequence[DemonstrationEpisode], model: stable_baselines3.SAC) -> ReplayBuffer:
    """Creates a replay buffer that contains the demonstrations."""
    rewarded = [(each, each.rewards) for each in demonstrations if each.rewards is not None]
    if not rewarded:
        raise AgentError(ErrorCode.NO_DATA, "Soft actor-critic requires demonstrations with rewards.")
    size = sum(len(each.actions) for each, _ in rewarded)
    buffer = ReplayBuffer(size, model.observation_space, model.action_space, model.device)
    for each, rewards in rewarded:
        for step, (action, reward) in enumerate(zip(each.actions, rewards, strict=True)):
            ended = np.array([step == len(each.actions) - 1])
            infos = [{"TimeLimit.truncated": bool(ended[0])}]
            before, after = each.observations[step][None], each.observations[step + 1][None]
            buffer.add(before, after, action[None], np.array([reward]), ended, infos)
    return buffer
