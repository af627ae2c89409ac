"""Preference learning, which derives rewards from pairwise comparisons.

Sources: Christiano et al., 2017; Bradley and Terry, 1952.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.training.checkpoint import Arrays
from reachy_agent_ros.learning.training.learner_state import LearnerState
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork, StepNetwork
from reachy_agent_ros.learning.training.ppo import JudgedPolicy, ProximalPolicyOptimization

_BATCH = 64
_QUESTIONS = 10
"""Number of comparisons in each round."""


_Rows = tuple[Tensor, Tensor]
"""Tensors of observations and actions."""


@dataclass(frozen=True)
class Fragment:
    """Part of an episode, with one row for each step."""

    observations: Entries
    actions: Entries


@dataclass(frozen=True)
class PreferencePair:
    """Comparison of two fragments. `preferred` is 1 for the first, 0 for the second, and 0.5 for neither.

    Raises:
        AgentError: `INVALID_GOAL` for fragments of unequal length, whose sums of rewards are not comparable.
    """

    first: Fragment
    second: Fragment
    preferred: float

    def __post_init__(self) -> None:
        if len(self.first.actions) != len(self.second.actions):
            raise AgentError(ErrorCode.INVALID_GOAL, "Invalid comparison: the fragments must have the same length.")


Comparer = Callable[[Fragment, Fragment], float]
"""Function that returns the preference of a real or simulated person, as in `PreferencePair.preferred`."""


def fragment(episodes: Sequence[Fragment], length: int, generator: np.random.Generator) -> Fragment:
    """Draws a random fragment of a random episode.

    Raises:
        AgentError: `INVALID_GOAL` for a length below 1 or above that of the shortest episode; `NO_DATA` without
            episodes.
    """
    if not episodes:
        raise AgentError(ErrorCode.NO_DATA, "No episodes to compare.")
    shortest = min(len(each.actions) for each in episodes)
    if not 1 <= length <= shortest:
        message = f"Invalid length {length}: expected 1 to {shortest} steps, the length of the shortest episode."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    chosen = episodes[int(generator.integers(len(episodes)))]
    start = int(generator.integers(len(chosen.actions) - length + 1))
    stretch = slice(start, start + length)
    return Fragment(chosen.observations[stretch], chosen.actions[stretch])


class PreferenceModel(StepNetwork):
    """Predicts the reward (-1 to 1) of a step, so that preferred fragments get the greater sum of rewards.

    Args:
        start: Policy whose standardization of observations to use.
    """

    def __init__(self, start: PolicyNetwork) -> None:
        super().__init__(start)
        self.optimizer = torch.optim.Adam(self.parameters(), 3e-3, weight_decay=1e-4)

    def forward(self, observations: Tensor, actions: Tensor) -> Tensor:
        """Returns the reward of each step. The inputs may have any number of leading dimensions."""
        return torch.tanh(super().forward(observations, actions))

    def fit(self, comparisons: Sequence[PreferencePair], steps: int = 100) -> float:
        """Continues to train the model on all comparisons. Returns the share of decided comparisons that it predicts.

        The share is 1 if no comparison is decided.

        Raises:
            AgentError: `NO_DATA` without comparisons.
        """
        if not comparisons:
            raise AgentError(ErrorCode.NO_DATA, "No comparisons to learn from.")
        first = self._stacked([each.first for each in comparisons])
        second = self._stacked([each.second for each in comparisons])
        preferred = torch.tensor([each.preferred for each in comparisons], device=self.mean.device)
        for _ in range(steps):
            chosen = torch.randint(len(comparisons), (_BATCH,)).to(preferred.device)
            loss = nn.functional.binary_cross_entropy_with_logits(
                self._difference(first, second, chosen), preferred[chosen]
            )
            self.optimizer.zero_grad()
            torch.autograd.backward(loss)
            self.optimizer.step()
        decided = preferred != 0.5
        with torch.no_grad():
            agreed = decided & ((self._difference(first, second) > 0) == (preferred > 0.5))
        return float(agreed.sum() / decided.sum()) if decided.any() else 1.0

    @torch.no_grad()
    def judge(self, observation: Entries, action: Entries) -> float:
        """Returns the reward of one action."""
        return float(self(*self.tensors(observation, np.clip(action, -1.0, 1.0))))

    def _difference(self, first: _Rows, second: _Rows, chosen: Tensor | slice = slice(None)) -> Tensor:
        """Returns for each chosen pair the reward sum of the first fragment minus the reward sum of the second."""
        better, worse = (self(*(rows[chosen] for rows in side)).sum(dim=1) for side in (first, second))
        difference: Tensor = better - worse
        return difference

    def _stacked(self, fragments: Sequence[Fragment]) -> _Rows:
        observations = np.array([each.observations for each in fragments])
        return self.tensors(observations, np.array([each.actions for each in fragments]))


class PreferenceLearning(JudgedPolicy):
    """Learner that trains a policy and a reward model in turns.

    The reward model is trained on comparisons of the policy's episodes.

    The reward model is constant during a round of the policy. Afterwards, new comparisons correct weaknesses of the
    reward model that the policy exploited.

    Args:
        policy: Policy learner; its environments use the model as judge.
        model: Reward model.
        comparer: Function that compares fragments.
        length: Number of steps of a fragment.
        seed: Seed of the choice of fragments.
    """

    def __init__(
        self,
        policy: ProximalPolicyOptimization,
        model: PreferenceModel,
        comparer: Comparer,
        length: int,
        seed: int,
    ) -> None:
        self.comparisons: list[PreferencePair] = []
        self._model, self._comparer = model, comparer
        self._length = length
        self._generator = np.random.default_rng(seed)
        state = LearnerState({"model": model}, {"model_adam": model.optimizer}, {"questions": self._generator})
        super().__init__(policy, state)

    def advance(self) -> dict[str, float]:
        """Trains the policy and the reward model for one round. Returns the figures of the round.

        `agreed` is the share of decided comparisons that the model agrees with, and `asked` the number of all
        comparisons so far.
        """
        figures = self._policy.advance()
        episodes = [Fragment(*each) for each in zip(*self._policy.played(), strict=True)]
        for _ in range(_QUESTIONS):
            first, second = (fragment(episodes, self._length, self._generator) for _ in range(2))
            self.comparisons.append(PreferencePair(first, second, self._comparer(first, second)))
        return {**figures, "agreed": self._model.fit(self.comparisons), "asked": float(len(self.comparisons))}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the learner's state after a round as arrays for a checkpoint."""
        return {**_comparison_arrays(self.comparisons), **super().arrays()}

    def restore(self, arrays: Arrays) -> None:
        """Restores the learner's state from the result of `arrays`.

        Raises:
            AgentError: `POLICY_REJECTED` for a different shape.
        """
        super().restore(arrays)
        sides = []
        for side in ("first", "second"):
            rows = (arrays[f"compared/{side}/observations"], arrays[f"compared/{side}/actions"])
            sides.append([Fragment(*each) for each in zip(*rows, strict=True)])
        preferred = arrays["compared/preferred"].tolist()
        self.comparisons = [PreferencePair(*each) for each in zip(*sides, preferred, strict=True)]


def _comparison_arrays(comparisons: Sequence[PreferencePair]) -> dict[str, NDArray[Any]]:
    """Converts comparisons of fragments of equal length to arrays for a checkpoint."""
    sides = {"first": [each.first for each in comparisons], "second": [each.second for each in comparisons]}
    found: dict[str, NDArray[Any]] = {"compared/preferred": np.array([each.preferred for each in comparisons])}
    for side, fragments in sides.items():
        found[f"compared/{side}/observations"] = np.array([each.observations for each in fragments])
        found[f"compared/{side}/actions"] = np.array([each.actions for each in fragments])
    return found
