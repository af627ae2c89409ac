"""Proximal policy optimization (Schulman et al., 2017) with stable-baselines3.

A penalty keeps the policy close to demonstrations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import stable_baselines3
import torch
from numpy.typing import NDArray
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import Tensor, nn

from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.training.checkpoint import Arrays
from reachy_agent_ros.learning.training.demonstrations import DemonstrationEpisode, joined
from reachy_agent_ros.learning.training.learner_state import LearnerState
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork, Standardized
from reachy_agent_ros.learning.training.wrappers import SeededEpisodes

_LEAST_STEPS = 64
"""Minimum number of steps in a round: with fewer steps, the gradient is too noisy."""

_BATCH = 64


class ProximalPolicyOptimization:
    """PPO that trains in rounds of complete episodes.

    Between two rounds, its state consists only of weights, optimizer and random states, and counters.

    Args:
        environments: Training environments. They run in this process, because another process costs more than the
            simulation.
        length: Number of steps of every episode.
        start: Policy to refine; its standardization of observations is kept.
        seed: Random seed.
        anchor: Demonstrations to stay close to; empty to learn from scratch.
        device: PyTorch name of the device.
    """

    def __init__(
        self,
        environments: Sequence[SeededEpisodes],
        length: int,
        start: PolicyNetwork,
        seed: int,
        anchor: Sequence[DemonstrationEpisode] = (),
        device: str = "cpu",
    ) -> None:
        self.episodes = 0
        self._length = length
        self._environments = environments
        repetitions = math.ceil(_LEAST_STEPS / (length * len(environments)))
        self._per_round = len(environments) * repetitions
        steps = length * repetitions
        self._model = stable_baselines3.PPO(
            _AnchoredPolicy,
            DummyVecEnv([_giving(each) for each in environments]),
            learning_rate=3e-4 if anchor else 1e-3,
            n_steps=steps,
            batch_size=steps,
            gamma=0.9,
            gae_lambda=0.9,
            clip_range=0.1 if anchor else 0.2,
            target_kl=0.02 if anchor else 0.05,
            ent_coef=1.0 if anchor else 0.0,
            seed=seed,
            device=device,
            # The standard deviation of the exploration is small around a good policy.
            policy_kwargs={"start": start, "log_std_init": -2.0 if anchor else -1.0},
        )
        self._model.set_logger(Logger(None, []))  # the default logger creates a folder in /tmp every round
        self._policy: _AnchoredPolicy = self._model.policy  # type: ignore[assignment] # of the class that it was given
        if anchor:
            self._policy.hold(*joined(anchor))
        self.state = LearnerState({"policy": self._policy}, {"adam": self._policy.optimizer})

    @property
    def network(self) -> PolicyNetwork:
        """Current policy network."""
        return self._policy.network()

    def advance(self) -> dict[str, float]:
        """Plays some episodes and trains on them. Returns the figures of the round."""
        self._model.learn(self._model.n_steps * self._model.n_envs, reset_num_timesteps=False)
        self.episodes += self._per_round
        rewards = self._model.rollout_buffer.rewards
        return {
            "reward": float(rewards.sum() / self._per_round),
            "spread": float(self._policy.log_std.detach().exp().mean()),
        }

    def played(self) -> tuple[Entries, Entries]:
        """Returns the observations and actions of the last round, each with shape (episodes, steps, entries)."""
        buffer = self._model.rollout_buffer
        rows = (buffer.observations, np.clip(buffer.actions, -1.0, 1.0))
        first, second = (each.reshape(self._per_round, self._length, -1) for each in rows)
        return first, second

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the learner's state after a round as arrays for a checkpoint."""
        return {**self.state.arrays(), "episodes": np.array(self.episodes)}

    def restore(self, arrays: Arrays) -> None:
        """Restores the learner's state from the result of `arrays`. Call it before the first round.

        Raises:
            AgentError: `POLICY_REJECTED` for a different shape.
        """
        self.state.restore(arrays)
        self.episodes = int(arrays["episodes"])
        for each in self._environments:
            each.number = self.episodes // len(self._environments)


class _AnchoredPolicy(ActorCriticPolicy):
    """Actor and critic with an initial policy. A term of the loss keeps the actor close to demonstrations.

    The loss contains the negative log-likelihood of the demonstrations.

    The PPO of stable-baselines3 subtracts `ent_coef` times the entropy from its loss; here, the negated penalty
    replaces the entropy. The policy therefore deviates from the demonstrations only if the reward outweighs the penalty
    (DAPG, Rajeswaran et al., 2018, but without its decay).

    Args:
        arguments: Same as for `ActorCriticPolicy`.
        start: Initial policy.
        keywords: Same as for `ActorCriticPolicy`.
    """

    def __init__(self, *arguments: Any, start: PolicyNetwork, **keywords: Any) -> None:
        self._shape = start.shape
        self._anchor: tuple[Tensor, Tensor] | None = None
        hidden = list(start.shape.hidden)
        keywords |= {
            "net_arch": {"pi": hidden, "vf": hidden},
            "activation_fn": nn.Tanh,
            "features_extractor_class": Standardized,
            "features_extractor_kwargs": {"start": start},
        }
        super().__init__(*arguments, **keywords)
        self.mlp_extractor.policy_net.load_state_dict(start.body.state_dict())
        self.action_net.load_state_dict(start.head.state_dict())

    def hold(self, observations: Entries, actions: Entries) -> None:
        """Sets the demonstrations to which the policy stays close, one row for each step."""
        self._anchor = (torch.as_tensor(observations, device=self.device), torch.as_tensor(actions, device=self.device))

    def evaluate_actions(self, obs: Any, actions: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        """Returns the values, the log-likelihoods and the entropy.

        If demonstrations are set, a negated penalty replaces the entropy.
        """
        values, likelihoods, entropy = super().evaluate_actions(obs, actions)
        if self._anchor is None:
            return values, likelihoods, entropy
        seen, wanted = self._anchor
        chosen = torch.randint(len(seen), (_BATCH,)).to(seen.device)
        latent = self.mlp_extractor.forward_actor(self.features_extractor(seen[chosen]))
        spread = self.log_std.detach().exp()  # detached, because otherwise the exploration would shrink to zero
        penalty = 0.5 * (((self.action_net(latent) - wanted[chosen]) / spread) ** 2).sum(dim=1).mean()
        return values, likelihoods, -penalty.expand_as(likelihoods)

    def network(self) -> PolicyNetwork:
        """Returns a copy of the current actor network."""
        found = PolicyNetwork.blank(self._shape)
        standard = cast(Standardized, self.features_extractor)
        found.mean.copy_(standard.mean)
        found.scale.copy_(standard.scale)
        found.body.load_state_dict(self.mlp_extractor.policy_net.state_dict())
        found.head.load_state_dict(self.action_net.state_dict())
        return found


class JudgedPolicy:
    """Base class for learners that train a policy and also the judge from which the rewards come.

    Implements `training.learner.Learner` except for `advance`.

    Args:
        policy: Policy learner; its environments use the judge.
        state: State of the judge and of its training.
    """

    def __init__(self, policy: ProximalPolicyOptimization, state: LearnerState) -> None:
        self._policy = policy
        self._state = state

    @property
    def network(self) -> PolicyNetwork:
        """Current policy network."""
        return self._policy.network

    @property
    def episodes(self) -> int:
        """Number of episodes played so far."""
        return self._policy.episodes

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the learner's state after a round as arrays for a checkpoint."""
        return {**self._state.arrays(), **self._policy.arrays()}

    def restore(self, arrays: Arrays) -> None:
        """Restores the learner's state from the result of `arrays`.

        Raises:
            AgentError: `POLICY_REJECTED` for a different shape.
        """
        self._state.restore(arrays)
        self._policy.restore(arrays)


def _giving(environment: SeededEpisodes) -> Callable[[], SeededEpisodes]:
    """Wraps an existing environment in a factory function, which stable-baselines3 requires."""
    return lambda: environment
