"""Behavioral cloning and dataset aggregation, which learn the expert's actions from the observations.

Behavioral cloning (Pomerleau, 1989) learns from demonstrations. DAgger (Ross et al., 2011) also asks the expert for
actions in the states that the learner visits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.specification import TaskPolicy
from reachy_agent_ros.learning.training.checkpoint import Arrays
from reachy_agent_ros.learning.training.demonstrations import DemonstrationEpisode, joined
from reachy_agent_ros.learning.training.learner_state import LearnerState
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork
from reachy_agent_ros.learning.training.wrappers import SeededEpisodes

Gate = Callable[[Entries, Entries], bool]
"""Function that returns whether the person takes over, given the observation and the action proposed by the learner."""

_DECAY = 0.5
"""Factor by which beta decreases in each round of dataset aggregation, starting from 1 in the first round."""

_RATE = 3e-3
"""Initial learning rate."""

_EPOCHS = 20
"""Number of epochs in each round of dataset aggregation."""


class BehavioralCloning:
    """Behavioral cloning, which minimizes the squared error with Adam.

    The learning rate decays to 1 % of its initial value (cosine).

    Args:
        network: Network to train, on its device.
        seed: Seed of the sample order.
        epochs: Number of epochs of the decay and of `fit`.
        batch: Batch size.
    """

    def __init__(self, network: PolicyNetwork, seed: int, epochs: int = 300, batch: int = 64) -> None:
        self.network = network
        self.optimizer = torch.optim.Adam(network.parameters(), _RATE)
        self.generator = np.random.default_rng(seed)
        self.done = 0
        self._epochs, self._batch = epochs, batch
        self._state = LearnerState({"policy": network}, {"adam": self.optimizer}, {"order": self.generator})

    def epoch(self, observations: Entries, actions: Entries) -> float:
        """Trains on all samples once. Returns the mean squared error during this epoch."""
        share = 0.5 * (1.0 + np.cos(np.pi * min(self.done / self._epochs, 1.0)))
        for group in self.optimizer.param_groups:
            group["lr"] = max(share, 0.01) * _RATE
        device = self.network.mean.device
        seen, wanted = torch.as_tensor(observations, device=device), torch.as_tensor(actions, device=device)
        total = 0.0
        order = torch.as_tensor(self.generator.permutation(len(observations)))
        for chosen in torch.split(order, self._batch):
            loss = nn.functional.mse_loss(self.network(seen[chosen]), wanted[chosen])
            self.optimizer.zero_grad()
            torch.autograd.backward(loss)
            self.optimizer.step()
            total += loss.item() * len(chosen)
        self.done += 1
        return total / len(observations)

    def fit(self, observations: Entries, actions: Entries) -> float:
        """Trains for the remaining epochs. Returns the error of the last epoch; 0 if no epoch remains."""
        error = 0.0
        while self.done < self._epochs:
            error = self.epoch(observations, actions)
        return error

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the learner's state after an epoch as arrays for a checkpoint."""
        return {**self._state.arrays(), "epochs": np.array(self.done)}

    def restore(self, arrays: Arrays) -> None:
        """Restores the learner's state from the result of `arrays`.

        Raises:
            AgentError: `POLICY_REJECTED` for a different shape.
        """
        self._state.restore(arrays)
        self.done = int(arrays["epochs"])


class Cloning(BehavioralCloning):
    """Behavioral cloning as a `training.learner.Learner`. Each round is one pass over the demonstrations.

    Args:
        network: Network to train, on its device.
        demonstrations: Training demonstrations.
        seed: Seed of the sample order.
        epochs: Total number of passes.
    """

    def __init__(
        self, network: PolicyNetwork, demonstrations: Sequence[DemonstrationEpisode], seed: int, epochs: int
    ) -> None:
        super().__init__(network, seed, epochs)
        self._rows = joined(demonstrations)

    @property
    def episodes(self) -> int:
        """Number of passes over the demonstrations so far."""
        return self.done

    def advance(self) -> dict[str, float]:
        """Trains for one pass over the demonstrations."""
        return {"loss": self.epoch(*self._rows)}


class Mixture:
    """Policy that takes the expert's action with probability beta, otherwise the learner's action.

    Records the actions of the expert.

    With a gate (HG-DAgger, Kelly et al., 2019), the person acts whenever the gate returns True, and only these steps
    are recorded.

    Args:
        expert: Expert policy.
        learner: Policy of the learner.
        beta: Share of the steps in which the expert acts, 0..1.
        generator: Random generator.
        gate: Function that returns whether a person takes over; None to use beta.
    """

    def __init__(
        self,
        expert: TaskPolicy,
        learner: TaskPolicy,
        beta: float,
        generator: np.random.Generator,
        gate: Gate | None = None,
    ) -> None:
        self.observations: list[Entries] = []
        self.actions: list[Entries] = []
        self._expert, self._learner, self._gate = expert, learner, gate
        self._beta, self._generator = beta, generator

    def action(self, observation: Entries) -> Entries:
        """Returns the action for an observation, which is an action of the expert or of the learner."""
        own = self._learner.action(observation)
        if self._gate is not None and not self._gate(observation, own):
            return own
        shown = self._expert.action(observation)
        self.observations.append(observation)
        self.actions.append(shown)
        return shown if self._gate is not None or self._generator.random() < self._beta else own


class DatasetAggregation:
    """DAgger, in which each round plays one episode and then trains on all expert actions for some epochs.

    Args:
        environment: Training environment.
        length: Number of steps of an episode.
        expert: Expert policy; if there is a gate, the person.
        cloning: Learner that is trained.
        start: Initial demonstrations.
        gate: Function that returns whether a person takes over.
    """

    def __init__(
        self,
        environment: SeededEpisodes,
        length: int,
        expert: TaskPolicy,
        cloning: BehavioralCloning,
        start: Sequence[DemonstrationEpisode],
        gate: Gate | None = None,
    ) -> None:
        self.network = cloning.network
        self.episodes = 0
        self.cloning = cloning
        self.observations, self.actions = joined(start)
        self._environment, self._length, self._expert, self._gate = environment, length, expert, gate
        self.network.standardize(self.observations)

    def advance(self) -> dict[str, float]:
        """Plays one episode and trains on all expert actions. Returns the figures of the round."""
        beta = _DECAY**self.episodes
        mixture = Mixture(self._expert, self.network.actor(), beta, self.cloning.generator, self._gate)
        episode = play(self._environment, mixture, 0, self._length)  # the environment ignores the seed
        self.episodes += 1
        if mixture.actions:
            self.observations = np.concatenate([self.observations, np.array(mixture.observations)])
            self.actions = np.concatenate([self.actions, np.array(mixture.actions)])
        loss = [self.cloning.epoch(self.observations, self.actions) for _ in range(_EPOCHS)][-1]
        share = len(mixture.actions) / len(episode.rewards)
        return {"reward": sum(episode.rewards), "loss": loss, "asked": share}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the learner's state after a round as arrays for a checkpoint."""
        shown = {"shown/observations": self.observations, "shown/actions": self.actions}
        counters = {"episodes": np.array(self.episodes)}
        return {**self.cloning.arrays(), **shown, **counters}

    def restore(self, arrays: Arrays) -> None:
        """Restores the learner's state from the result of `arrays`.

        Raises:
            AgentError: `POLICY_REJECTED` for a different shape.
        """
        self.cloning.restore(arrays)
        self.observations, self.actions = arrays["shown/observations"], arrays["shown/actions"]
        self.episodes = self._environment.number = int(arrays["episodes"])
