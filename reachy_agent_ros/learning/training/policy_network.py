"""The network that is trained: small, smooth and standardised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.training.actor import Actor

_LEAST_SCALE = 0.01
"""An entry that hardly varied in what was seen would be blown up by what is seen later."""


@dataclass(frozen=True)
class Shape:
    """Size of a policy.

    Attributes:
        observations: Entries of an observation.
        actions: Entries of an action.
        hidden: Units of each hidden layer.
    """

    observations: int
    actions: int
    hidden: tuple[int, ...] = (64, 64)


class PolicyNetwork(nn.Module):
    """Observation to mean action. Tanh, because with few demonstrations it went on better than ReLU between them.

    Args:
        shape: Its size.
        squashed: Whether actions pass a tanh, as soft actor-critic's do.
    """

    mean: Tensor
    scale: Tensor

    def __init__(self, shape: Shape, squashed: bool = False) -> None:
        super().__init__()
        self.shape = shape
        self._squashed = squashed
        self.register_buffer("mean", torch.zeros(shape.observations))
        self.register_buffer("scale", torch.ones(shape.observations))
        self.body = tanh_layers(shape.observations, shape.hidden)
        self.head = nn.Linear((shape.observations, *shape.hidden)[-1], shape.actions)

    @classmethod
    def blank(cls, shape: Shape, squashed: bool = False) -> PolicyNetwork:
        """One whose numbers are about to be replaced; takes nothing from chance, so that looking changes no run."""
        with torch.random.fork_rng(devices=[]):
            return cls(shape, squashed)

    def forward(self, observations: Tensor) -> Tensor:
        """Mean actions, one row an observation; not yet held within -1..1."""
        mean: Tensor = self.head(self.body((observations - self.mean) / self.scale))
        return torch.tanh(mean) if self._squashed else mean

    def standardise(self, observations: Entries) -> None:
        """Takes mean and spread from observations, one a row; to be called before it learns."""
        self.mean.copy_(torch.as_tensor(observations.mean(axis=0)))
        self.scale.copy_(torch.as_tensor(np.maximum(observations.std(axis=0), _LEAST_SCALE)))

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """All its numbers, as an `Actor` takes them."""
        layers = [layer for layer in (*self.body, self.head) if isinstance(layer, nn.Linear)]
        found = {"mean": self.mean, "scale": self.scale}
        if self._squashed:
            found["squashed"] = torch.ones(1)
        for index, layer in enumerate(layers):
            found |= {f"weight{index}": layer.weight, f"bias{index}": layer.bias}
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in found.items()}

    def actor(self) -> Actor:
        """What acts as it does now, whatever it learns later."""
        return Actor(self.weights())


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


class StepNetwork(nn.Module):
    """A number for each step of an episode, from its observation and its action.

    Args:
        start: A policy whose standardization of observations it uses.
    """

    mean: Tensor
    scale: Tensor

    def __init__(self, start: PolicyNetwork) -> None:
        super().__init__()
        self.register_buffer("mean", start.mean.clone())
        self.register_buffer("scale", start.scale.clone())
        entries = start.shape.observations + start.shape.actions
        self.layers = nn.Sequential(*tanh_layers(entries, (32, 32)), nn.Linear(32, 1))

    def forward(self, observations: Tensor, actions: Tensor) -> Tensor:
        """Outputs of the last layer, one a step; any shape before the entries."""
        standard = (observations - self.mean) / self.scale
        outputs: Tensor = self.layers(torch.cat([standard, actions], dim=-1))
        return outputs.squeeze(-1)

    def tensors(self, observations: Entries, actions: Entries) -> tuple[Tensor, Tensor]:
        """Both on the device of its weights."""
        device = self.mean.device
        return torch.as_tensor(observations, device=device), torch.as_tensor(actions, device=device)


def tanh_layers(inputs: int, hidden: tuple[int, ...]) -> nn.Sequential:
    """Hidden layers."""
    layers: list[nn.Module] = []
    for before, after in zip((inputs, *hidden), hidden, strict=False):
        layers += [nn.Linear(before, after), nn.Tanh()]
    return nn.Sequential(*layers)
