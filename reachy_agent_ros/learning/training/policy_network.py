"""Policy network, which is small and smooth and standardizes its observations."""

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
"""Minimum scale of an observation, so that entries that hardly varied in training are not amplified later."""


@dataclass(frozen=True)
class Shape:
    """Layer sizes of a policy network.

    Attributes:
        observations: Number of entries of an observation.
        actions: Number of entries of an action.
        hidden: Number of units of each hidden layer.
    """

    observations: int
    actions: int
    hidden: tuple[int, ...] = (64, 64)


class PolicyNetwork(nn.Module):
    """Policy network with tanh layers, which interpolate between few demonstrations better than ReLU layers.

    Args:
        shape: Shape of the policy.
        squashed: Whether to apply a tanh to the actions, as in soft actor-critic.
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
        """Creates a network whose weights must be replaced. Does not change the random state of a run."""
        with torch.random.fork_rng(devices=[]):
            return cls(shape, squashed)

    def forward(self, observations: Tensor) -> Tensor:
        """Returns mean actions, one row for each observation. Limits them to the range from -1 to 1 if `squashed`."""
        mean: Tensor = self.head(self.body((observations - self.mean) / self.scale))
        return torch.tanh(mean) if self._squashed else mean

    def standardize(self, observations: Entries) -> None:
        """Sets the mean and the scale from observations, one per row. Call this before training."""
        self.mean.copy_(torch.as_tensor(observations.mean(axis=0)))
        self.scale.copy_(torch.as_tensor(np.maximum(observations.std(axis=0), _LEAST_SCALE)))

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Returns all weights in the form that `Actor` requires."""
        layers = [layer for layer in (*self.body, self.head) if isinstance(layer, nn.Linear)]
        found = {"mean": self.mean, "scale": self.scale}
        if self._squashed:
            found["squashed"] = torch.ones(1)
        for index, layer in enumerate(layers):
            found |= {f"weight{index}": layer.weight, f"bias{index}": layer.bias}
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in found.items()}

    def actor(self) -> Actor:
        """Returns a copy of the current policy for inference."""
        return Actor(self.weights())


class Standardized(BaseFeaturesExtractor):
    """Feature extractor that standardizes observations with the mean and scale of a policy.

    Args:
        observation_space: Observation space of the environment.
        start: Policy with the mean and scale.
    """

    mean: Tensor
    scale: Tensor

    def __init__(self, observation_space: spaces.Box, start: PolicyNetwork) -> None:
        super().__init__(observation_space, start.shape.observations)
        self.register_buffer("mean", start.mean.clone())
        self.register_buffer("scale", start.scale.clone())

    def forward(self, observations: Tensor) -> Tensor:
        """Returns the standardized observations."""
        return (observations - self.mean) / self.scale


class StepNetwork(nn.Module):
    """Network that maps the observation and the action of a step to one number.

    Args:
        start: Policy whose standardization of observations to use.
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
        """Returns the output for each step. The inputs may have any number of leading dimensions."""
        standard = (observations - self.mean) / self.scale
        outputs: Tensor = self.layers(torch.cat([standard, actions], dim=-1))
        return outputs.squeeze(-1)

    def tensors(self, observations: Entries, actions: Entries) -> tuple[Tensor, Tensor]:
        """Converts observations and actions to tensors on the device of the weights."""
        device = self.mean.device
        return torch.as_tensor(observations, device=device), torch.as_tensor(actions, device=device)


def tanh_layers(inputs: int, hidden: tuple[int, ...]) -> nn.Sequential:
    """Creates hidden layers with tanh activation."""
    layers: list[nn.Module] = []
    for before, after in zip((inputs, *hidden), hidden, strict=False):
        layers += [nn.Linear(before, after), nn.Tanh()]
    return nn.Sequential(*layers)
