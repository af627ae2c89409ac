"""The policy that stable-baselines3 trains, with an anchor in demonstrations."""

from __future__ import annotations

from typing import Any, cast

import torch
from gymnasium import spaces
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork

_BATCH = 64


class Standardised(BaseFeaturesExtractor):
    """Observations by mean and spread of a policy.

    Args:
        observation_space: Of the environment.
        start: Whose standardisation it is.
    """

    mean: Tensor
    scale: Tensor

    def __init__(self, observation_space: spaces.Box, start: PolicyNetwork) -> None:
        super().__init__(observation_space, start.shape.observations)
        self.register_buffer("mean", start.mean.clone())
        self.register_buffer("scale", start.scale.clone())

    def forward(self, observations: Tensor) -> Tensor:
        """Standardised observations."""
        return (observations - self.mean) / self.scale


class AnchoredPolicy(ActorCriticPolicy):
    """Actor and critic that begin as a policy; the loss gains the demonstrations' negative log-likelihood.

    PPO as the library has it subtracts `ent_coef` times the entropy from its loss: the penalty takes the entropy's
    place, negative. So a policy strays from what it was shown only as far as the reward pays for it (Rajeswaran et
    al. 2018, DAPG, without the decay).

    Args:
        arguments: As for `ActorCriticPolicy`.
        start: What it begins as.
        keywords: As for `ActorCriticPolicy`.
    """

    def __init__(self, *arguments: Any, start: PolicyNetwork, **keywords: Any) -> None:
        self._shape = start.shape
        self._anchor: tuple[Tensor, Tensor] | None = None
        hidden = list(start.shape.hidden)
        keywords |= {
            "net_arch": {"pi": hidden, "vf": hidden},
            "activation_fn": nn.Tanh,
            "features_extractor_class": Standardised,
            "features_extractor_kwargs": {"start": start},
        }
        super().__init__(*arguments, **keywords)
        self.mlp_extractor.policy_net.load_state_dict(start.body.state_dict())
        self.action_net.load_state_dict(start.head.state_dict())

    def hold(self, observations: Entries, actions: Entries) -> None:
        """Sets the demonstrations that it is held to, one row a step."""
        self._anchor = (torch.as_tensor(observations, device=self.device), torch.as_tensor(actions, device=self.device))

    def evaluate_actions(self, obs: Any, actions: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        """Values, log-likelihoods, and what the loss subtracts."""
        values, likelihoods, entropy = super().evaluate_actions(obs, actions)
        if self._anchor is None:
            return values, likelihoods, entropy
        seen, wanted = self._anchor
        chosen = torch.randint(len(seen), (_BATCH,)).to(seen.device)
        latent = self.mlp_extractor.forward_actor(self.features_extractor(seen[chosen]))
        spread = self.log_std.detach().exp()  # else the spread would shrink until nothing new is tried
        penalty = 0.5 * (((self.action_net(latent) - wanted[chosen]) / spread) ** 2).sum(dim=1).mean()
        return values, likelihoods, -penalty.expand_as(likelihoods)

    def network(self) -> PolicyNetwork:
        """The actor as it is."""
        found = PolicyNetwork.blank(self._shape)
        standard = cast(Standardised, self.features_extractor)
        found.mean.copy_(standard.mean)
        found.scale.copy_(standard.scale)
        found.body.load_state_dict(self.mlp_extractor.policy_net.state_dict())
        found.head.load_state_dict(self.action_net.state_dict())
        return found
