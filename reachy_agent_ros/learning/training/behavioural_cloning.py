"""Imitation by regression of the expert's actions on the observations.

Behavioural cloning (Pomerleau 1989) learns from what the expert showed. DAgger (Ross et al. 2011) also asks the expert
what it would do where the learner goes.
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
"""Whether the person takes over, given the observation and the action that the learner proposes."""

_DECAY = 0.5
"""Share of beta that is left from round to round of dataset aggregation; the first round's is 1."""

_RATE = 3e-3
"""Of the first steps."""

_EPOCHS = 20
"""Of a round."""


class BehaviouralCloning:
    """Minimises the squared error by Adam, whose steps shrink to nothing over the epochs.

    Args:
        network: What learns; it lies on its device already.
        seed: Of the order of the samples.
        epochs: Passes over all samples, until which the steps shrink.
        batch: Samples of a step.
    """

    def __init__(self, network: PolicyNetwork, seed: int, epochs: int = 300, batch: int = 64) -> None:
        self.network = network
        self.optimiser = torch.optim.Adam(network.parameters(), _RATE)
        self.generator = np.random.default_rng(seed)
        self.done = 0
        self._epochs, self._batch = epochs, batch
        self._state = LearnerState({"policy": network}, {"adam": self.optimiser}, {"order": self.generator})

    def epoch(self, observations: Entries, actions: Entries) -> float:
        """One pass over all samples; returns the mean squared error on the way."""
        share = 0.5 * (1.0 + np.cos(np.pi * min(self.done / self._epochs, 1.0)))
        for group in self.optimiser.param_groups:
            group["lr"] = max(share, 0.01) * _RATE
        device = self.network.mean.device
        seen, wanted = torch.as_tensor(observations, device=device), torch.as_tensor(actions, device=device)
        total = 0.0
        order = torch.as_tensor(self.generator.permutation(len(observations)))
        for chosen in torch.split(order, self._batch):
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


class Cloning(BehaviouralCloning):
    """Implements `training.learner.Learner`: a round is one pass over the demonstrations.

    Args:
        network: What learns; it lies on its device already.
        demonstrations: What it learns from.
        seed: Of the order of the samples.
        epochs: Passes in all.
    """

    def __init__(
        self, network: PolicyNetwork, demonstrations: Sequence[DemonstrationEpisode], seed: int, epochs: int
    ) -> None:
        super().__init__(network, seed, epochs)
        self._rows = joined(demonstrations)

    @property
    def episodes(self) -> int:
        """Passes made."""
        return self.done

    def advance(self) -> dict[str, float]:
        """One pass."""
        return {"loss": self.epoch(*self._rows)}


class Mixture:
    """Acts as the expert with probability beta, else as the learner; keeps what the expert says, or does.

    With a gate (HG-DAgger, Kelly et al. 2019) the person acts whenever the gate says so, and only that is kept.

    Args:
        expert: Who is asked.
        learner: Who learns.
        beta: Share of steps that are the expert's, 0..1.
        generator: Of chance.
        gate: When a person takes over; None for beta.
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
        """What is done."""
        own = self._learner.action(observation)
        if self._gate is not None and not self._gate(observation, own):
            return own
        shown = self._expert.action(observation)
        self.observations.append(observation)
        self.actions.append(shown)
        return shown if self._gate is not None or self._generator.random() < self._beta else own


class DatasetAggregation:
    """One episode and some epochs over all that was shown so far a round.

    Args:
        environment: What is tried.
        length: Steps of an episode.
        expert: Who is asked; the person, where there is a gate.
        cloning: What learns.
        start: Demonstrations to begin with.
        gate: When a person takes over.
    """

    def __init__(
        self,
        environment: SeededEpisodes,
        length: int,
        expert: TaskPolicy,
        cloning: BehaviouralCloning,
        start: Sequence[DemonstrationEpisode],
        gate: Gate | None = None,
    ) -> None:
        self.network = cloning.network
        self.episodes = 0
        self.cloning = cloning
        self.observations, self.actions = joined(start)
        self._environment, self._length, self._expert, self._gate = environment, length, expert, gate
        self.network.standardise(self.observations)

    def advance(self) -> dict[str, float]:
        """One round; returns what there was to see."""
        beta = _DECAY**self.episodes
        mixture = Mixture(self._expert, self.network.actor(), beta, self.cloning.generator, self._gate)
        episode = play(self._environment, mixture, 0, self._length)  # the environment numbers its episodes itself
        self.episodes += 1
        if mixture.actions:
            self.observations = np.concatenate([self.observations, np.array(mixture.observations)])
            self.actions = np.concatenate([self.actions, np.array(mixture.actions)])
        loss = [self.cloning.epoch(self.observations, self.actions) for _ in range(_EPOCHS)][-1]
        share = len(mixture.actions) / len(episode.rewards)
        return {"reward": sum(episode.rewards), "loss": loss, "asked": share, "success": float(episode.success)}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Its state between two rounds."""
        shown = {"shown/observations": self.observations, "shown/actions": self.actions}
        counters = {"episodes": np.array(self.episodes)}
        return {**self.cloning.arrays(), **shown, **counters}

    def restore(self, arrays: Arrays) -> None:
        """Goes on where another one was.

        Raises:
            AgentError: `POLICY_REJECTED` for another shape.
        """
        self.cloning.restore(arrays)
        self.observations, self.actions = arrays["shown/observations"], arrays["shown/actions"]
        self.episodes = self._environment.number = int(arrays["episodes"])
