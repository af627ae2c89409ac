"""What differs from one episode of a task to the next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np


class Split(StrEnum):
    """Which of the two ranges of every parameter episodes are drawn from."""

    TRAINING = "training"
    TEST = "test"


@dataclass(frozen=True)
class Parameter:
    """A number that is drawn anew for every episode.

    Attributes:
        name: As in `make`.
        unit: SI symbol; "1" for a plain number.
        training: Least and greatest value in training.
        test: Likewise for what a policy is judged by; the two ranges share no more than an end.
    """

    name: str
    unit: str
    training: tuple[float, float]
    test: tuple[float, float]

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and greatest value of both ranges."""
        return min(self.training[0], self.test[0]), max(self.training[1], self.test[1])

    def draw(self, split: Split, generator: np.random.Generator) -> float:
        """A value from one of the ranges, all equally likely."""
        return generator.uniform(*(self.test if split == Split.TEST else self.training))
