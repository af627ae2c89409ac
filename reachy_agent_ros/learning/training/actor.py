"""A trained policy that acts, for a whole task or channel by channel, without PyTorch or Gymnasium.

All it takes is arithmetic on a few small matrices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.specification import PostureChannel
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS

Weights = Mapping[str, NDArray[Any]]
"""`mean` and `scale` of observations; `weight0`, `bias0` and so on of each layer, the last one's gives actions.

Where there is an array `squashed`, they pass another tanh.
"""


class Actor:
    """Does what a `PolicyNetwork` with the same weights would do.

    Args:
        weights: As `PolicyNetwork.weights` has them.

    Raises:
        AgentError: `POLICY_REJECTED` for weights that do not fit together or are not finite.
    """

    def __init__(self, weights: Weights) -> None:
        try:
            layers = sum(name.startswith("weight") for name in weights)
            self._layers = [(weights[f"weight{index}"], weights[f"bias{index}"]) for index in range(layers)]
            self._mean, self._scale = weights["mean"], weights["scale"]
        except KeyError as error:
            raise AgentError(ErrorCode.POLICY_REJECTED, f"The policy lacks the array {error}.") from None
        self._squashed = "squashed" in weights
        sizes = [len(self._mean), *(len(bias) for _, bias in self._layers)]
        if [weight.shape for weight, _ in self._layers] != list(zip(sizes[1:], sizes, strict=False)) or layers == 0:
            raise AgentError(ErrorCode.POLICY_REJECTED, "The policy's layers do not fit one another.")
        if not all(np.isfinite(array).all() for array in weights.values()):
            raise AgentError(ErrorCode.POLICY_REJECTED, "The policy contains a number that is not finite.")

    @property
    def shape(self) -> tuple[int, int]:
        """Entries of an observation, and of an action."""
        return len(self._mean), len(self._layers[-1][1])

    def action(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """What it does, -1..1.

        Raises:
            AgentError: `INVALID_GOAL` for an observation of another size.
        """
        if observation.shape != self._mean.shape:
            shapes = f"{self._mean.shape}, not {observation.shape}"
            raise AgentError(ErrorCode.INVALID_GOAL, f"An observation for this policy has shape {shapes}.")
        signal = (observation - self._mean) / self._scale
        *hidden, (weight, bias) = self._layers
        for inner, offset in hidden:
            signal = np.tanh(inner @ signal + offset)
        mean = weight @ signal + bias
        return np.asarray(np.tanh(mean) if self._squashed else np.clip(mean, -1.0, 1.0), dtype=np.float32)


class ChannelPolicy:
    """One small network for every channel of the body: what was shown with one of them can be done with another.

    Shares its weights between channels, as a convolution does between places. Words are not heard.

    Args:
        actor: Knows one channel: the entries of `BLOCKS`, in steps at the greatest speed.
        channels: Of the task that it shall do.
    """

    def __init__(self, actor: Actor, channels: Sequence[PostureChannel]) -> None:
        self._actor, self._channels = actor, channels

    def action(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """What it does with all of them."""
        rows = channel_rows(observation[np.newaxis], self._channels)
        return np.concatenate([self._actor.action(row) for row in rows])


def channel_rows(observations: NDArray[np.float32], channels: Sequence[PostureChannel]) -> NDArray[np.float32]:
    """What each channel's part of some observations is, one row a channel and observation.

    Args:
        observations: Of a tracking task, one a row.
        channels: Of that task.
    """
    count = len(channels)
    strides = np.array([channel.stride for channel in channels])
    blocks = observations[:, : count * len(BLOCKS)].reshape(len(observations), len(BLOCKS), count) / strides
    return np.asarray(blocks.transpose(0, 2, 1).reshape(-1, len(BLOCKS)), dtype=np.float32)
