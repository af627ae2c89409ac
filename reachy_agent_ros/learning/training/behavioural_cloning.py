"""Behavioural cloning: regression of the actions on the observations (Pomerleau 1989)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.training.checkpoint import Arrays
from reachy_agent_ros.learning.training.demonstrations import Demonstration, joined
from reachy_agent_ros.learning.training.learner_state import LearnerState
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork


class BehaviouralCloning:
    """Minimises the squared error by Adam, whose steps shrink to nothing over the epochs.

    Args:
        network: What learns; it lies on its device already.
        seed: Of the order of the samples.
        epochs: Passes over all samples, until which the steps shrink.
        rate: Of the first steps.
        batch: Samples of a step.
    """

    def __init__(
        self, network: PolicyNetwork, seed: int, epochs: int = 300, rate: float = 3e-3, batch: int = 64
    ) -> None:
        self.network = network
        self.optimiser = torch.optim.Adam(network.parameters(), rate)
        self.generator = np.random.default_rng(seed)
        self.done = 0
        self._epochs, self._rate, self._batch = epochs, rate, batch
        self._state = LearnerState({"policy": network}, {"adam": self.optimiser}, {"order": self.generator})

    def epoch(self, observations: Entries, actions: Entries) -> float:
        """One pass over all samples; returns the mean squared error on the way."""
        share = 0.5 * (1.0 + np.cos(np.pi * min(self.done / self._epochs, 1.0)))
        for group in self.optimiser.param_groups:
            group["lr"] = max(share, 0.01) * self._rate
        device = self.network.mean.device
        seen, wanted = torch.as_tensor(observations, device=device), torch.as_tensor(actions, device=device)
        total = 0.0
        for chosen in self._batches(len(observations)):
            loss = nn.functional.mse_loss(self.network(seen[chosen]), wanted[chosen])
            self.optimiser.zero_grad()
            torch.autograd.backward(loss)
            self.optimiser.step()
            total += loss.item() * len(chosen)
        self.done += 1
        return total / len(observations)

    def fit(self, observations: Entries, actions: Entries) -> float:
        """All epochs that are left; returns the error of the last one."""
        error = 0.0
        while self.done < self._epochs:
            error = self.epoch(observations, actions)
        return error

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Its state between two epochs."""
        return {**self._state.arrays(), "epochs": np.array(self.done)}

    def restore(self, arrays: Arrays) -> None:
        """Goes on where another one was.

        Raises:
            AgentError: `POLICY_REJECTED` for another shape.
        """
        self._state.restore(arrays)
        self.done = int(arrays["epochs"])

    def _batches(self, size: int) -> Iterator[torch.Tensor]:
        yield from torch.split(torch.as_tensor(self.generator.permutation(size)), self._batch)


class Cloning:
    """Implements `training.learner.Learner` by rounds of one pass.

    Args:
        network: What learns; it lies on its device already.
        demonstrations: What it learns from.
        seed: Of the order of the samples.
        epochs: Passes in all.
    """

    def __init__(self, network: PolicyNetwork, demonstrations: Sequence[Demonstration], seed: int, epochs: int) -> None:
        self.network = network
        self._rows = joined(demonstrations)
        self._cloning = BehaviouralCloning(network, seed, epochs)

    @property
    def episodes(self) -> int:
        """Passes made."""
        return self._cloning.done

    def advance(self) -> dict[str, float]:
        """One pass."""
        return {"loss": self._cloning.epoch(*self._rows)}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Its state between two passes."""
        return self._cloning.arrays()

    def restore(self, arrays: Arrays) -> None:
        """Goes on where another one was."""
        self._cloning.restore(arrays)
