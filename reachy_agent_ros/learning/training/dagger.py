"""DAgger (Ross et al. 2011): the expert says what it would do where the learner goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.expert import Expert
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.training.behavioural_cloning import BehaviouralCloning
from reachy_agent_ros.learning.training.checkpoint import Arrays
from reachy_agent_ros.learning.training.demonstrations import Demonstration, joined
from reachy_agent_ros.learning.training.wrappers import SeededEpisodes

Gate = Callable[[Entries, Entries], bool]
"""Whether the person takes over, from the observation and what the learner is about to do."""


_DECAY = 0.5
"""Share of beta that is left from round to round; the first round's is 1."""

_EPOCHS = 20
"""Of a round."""


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
        self, expert: Expert, learner: Expert, beta: float, generator: np.random.Generator, gate: Gate | None = None
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
        expert: Expert,
        cloning: BehaviouralCloning,
        start: Sequence[Demonstration],
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
