"""Inference of a trained policy with NumPy. Requires neither PyTorch nor Gymnasium."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.errors import AgentError, ErrorCode

Weights = Mapping[str, NDArray[Any]]
"""Arrays of a policy: `mean` and `scale` of the observations, and `weight0`, `bias0` and so on for each layer.

The last layer computes the actions. If there is an array `squashed`, a tanh is applied to the actions.
"""


class Actor:
    """Trained policy for inference with NumPy. Computes the actions of a `PolicyNetwork`, limited to -1..1.

    Args:
        weights: Result of `PolicyNetwork.weights`.

    Raises:
        AgentError: `POLICY_REJECTED` for weights that are missing, do not match each other or are not finite.
    """

    def __init__(self, weights: Weights) -> None:
        try:
            layers = sum(name.startswith("weight") for name in weights)
            self._layers = [(weights[f"weight{index}"], weights[f"bias{index}"]) for index in range(layers)]
            self._mean, self._scale = weights["mean"], weights["scale"]
        except KeyError as error:
            raise AgentError(ErrorCode.POLICY_REJECTED, f"Invalid policy: missing array {error}.") from None
        self._squashed = "squashed" in weights
        sizes = [len(self._mean), *(len(bias) for _, bias in self._layers)]
        if [weight.shape for weight, _ in self._layers] != list(zip(sizes[1:], sizes, strict=False)) or layers == 0:
            raise AgentError(ErrorCode.POLICY_REJECTED, "Invalid policy: the shapes of its layers do not match.")
        if not all(np.isfinite(array).all() for array in weights.values()):
            raise AgentError(ErrorCode.POLICY_REJECTED, "Invalid policy: expected finite weights.")

    @property
    def shape(self) -> tuple[int, int]:
        """Number of entries of an observation, and number of entries of an action."""
        return len(self._mean), len(self._layers[-1][1])

    def action(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Returns the action for an observation. The entries of the action are from -1 to 1.

        Raises:
            AgentError: `INVALID_GOAL` for an observation of the wrong size.
        """
        if observation.shape != self._mean.shape:
            shapes = f"{observation.shape}: expected {self._mean.shape}"
            raise AgentError(ErrorCode.INVALID_GOAL, f"Invalid observation of shape {shapes}.")
        signal = (observation - self._mean) / self._scale
        *hidden, (weight, bias) = self._layers
        for inner, offset in hidden:
            signal = np.tanh(inner @ signal + offset)
        mean = weight @ signal + bias
        return np.asarray(np.tanh(mean) if self._squashed else np.clip(mean, -1.0, 1.0), dtype=np.float32)
