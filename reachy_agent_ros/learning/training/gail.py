"""Generative adversarial imitation learning (Ho and Ermon, 2016), which rewards actions like the demonstrated ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.training.demonstrations import DemonstrationEpisode, joined
from reachy_agent_ros.learning.training.learner_state import LearnerState
from reachy_agent_ros.learning.training.policy_network import StepNetwork
from reachy_agent_ros.learning.training.ppo import JudgedPolicy, ProximalPolicyOptimization

_BATCH = 64
_STEPS = 20
"""Number of training steps of the discriminator in each round."""


class Discriminator(StepNetwork):
    """Classifier that distinguishes demonstrated actions from actions of the policy. Its output is a logit."""

    @torch.no_grad()
    def judge(self, observation: Entries, action: Entries) -> float:
        """Returns the reward of an action, -log(1 - D).

        The reward is never negative, because otherwise the policy would benefit from an early end of the episode.
        """
        rows = self.tensors(observation[None], np.clip(action, -1.0, 1.0)[None])
        return float(nn.functional.softplus(self(*rows)))


class AdversarialImitation(JudgedPolicy):
    """Learner that trains a policy and a discriminator in turns.

    The discriminator is trained on the latest episodes of the policy.

    Args:
        policy: Policy learner; its environments use the discriminator as judge.
        discriminator: Discriminator.
        demonstrations: Demonstrations to imitate.
        seed: Seed of the sample order.
    """

    def __init__(
        self,
        policy: ProximalPolicyOptimization,
        discriminator: Discriminator,
        demonstrations: Sequence[DemonstrationEpisode],
        seed: int,
    ) -> None:
        self._discriminator = discriminator
        self._shown = joined(demonstrations)
        self._generator = np.random.default_rng(seed)
        self._optimizer = torch.optim.Adam(discriminator.parameters(), 1e-3)
        state = LearnerState(
            {"discriminator": discriminator}, {"judge_adam": self._optimizer}, {"judge_order": self._generator}
        )
        super().__init__(policy, state)

    def advance(self) -> dict[str, float]:
        """Trains the policy and the discriminator for one round. Returns the figures of the round.

        `told_apart` is the accuracy of the discriminator.
        """
        figures = self._policy.advance()
        observations, actions = self._policy.played()
        played = observations.reshape(-1, observations.shape[2]), actions.reshape(-1, actions.shape[2])
        right = [self._step(played) for _ in range(_STEPS)]
        return {**figures, "told_apart": float(np.mean(right))}

    def _step(self, played: tuple[Entries, Entries]) -> float:
        """Trains the discriminator on batches of demonstrated and of played actions. Returns its accuracy."""
        logits = torch.cat([self._logits(self._shown), self._logits(played)])
        labels = torch.cat([torch.ones(_BATCH), torch.zeros(_BATCH)]).to(logits.device)
        loss = nn.functional.binary_cross_entropy_with_logits(logits, labels)
        self._optimizer.zero_grad()
        torch.autograd.backward(loss)
        self._optimizer.step()
        return float(((logits > 0) == (labels > 0)).float().mean())

    def _logits(self, rows: tuple[Entries, Entries]) -> Tensor:
        chosen = self._generator.integers(len(rows[0]), size=_BATCH)
        logits: Tensor = self._discriminator(*self._discriminator.tensors(*(each[chosen] for each in rows)))
        return logits
