"""Learning from comparisons while new ones are asked for: what the policy makes of its reward is compared next."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.learning.training.checkpoint import Arrays
from reachy_agent_ros.learning.training.judged_policy import JudgedPolicy
from reachy_agent_ros.learning.training.learner_state import LearnerState
from reachy_agent_ros.learning.training.ppo import ProximalPolicyOptimisation
from reachy_agent_ros.learning.training.preference import (
    Comparer,
    Comparison,
    Fragment,
    PreferenceModel,
    comparison_arrays,
    fragment,
)


class PreferenceLearning(JudgedPolicy):
    """The model of rewards rests during a round of the policy; fresh comparisons show it where it was exploited.

    Args:
        policy: Learns; the model is the judge of its environments.
        model: Learns.
        comparer: Who is asked.
        length: Steps of a fragment.
        seed: Of which fragments are compared.
        questions: Asked a round.
    """

    def __init__(
        self,
        policy: ProximalPolicyOptimisation,
        model: PreferenceModel,
        comparer: Comparer,
        length: int,
        seed: int,
        questions: int = 10,
    ) -> None:
        self.comparisons: list[Comparison] = []
        self._model, self._comparer = model, comparer
        self._length, self._questions = length, questions
        self._generator = np.random.default_rng(seed)
        state = LearnerState({"model": model}, {"model_adam": model.optimiser}, {"questions": self._generator})
        super().__init__(policy, state)

    def advance(self) -> dict[str, float]:
        """One round; `agreed` is the share of comparisons that the model agrees with."""
        figures = self._policy.advance()
        episodes = [Fragment(*each) for each in zip(*self._policy.played(), strict=True)]
        for _ in range(self._questions):
            first, second = (fragment(episodes, self._length, self._generator) for _ in range(2))
            self.comparisons.append(Comparison(first, second, self._comparer(first, second)))
        return {**figures, "agreed": self._model.fit(self.comparisons), "asked": float(len(self.comparisons))}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Its state between two rounds."""
        return {**comparison_arrays(self.comparisons), **super().arrays()}

    def restore(self, arrays: Arrays) -> None:
        """Goes on where another one was.

        Raises:
            AgentError: `POLICY_REJECTED` for another shape.
        """
        super().restore(arrays)
        sides = []
        for side in ("first", "second"):
            rows = (arrays[f"compared/{side}/observations"], arrays[f"compared/{side}/actions"])
            sides.append([Fragment(*each) for each in zip(*rows, strict=True)])
        preferred = arrays["compared/preferred"].tolist()
        self.comparisons = [Comparison(*each) for each in zip(*sides, preferred, strict=True)]
