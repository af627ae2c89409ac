"""Noticing that a skill was taught worse, and going back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.learning.correction.belief import Belief

WINDOW = 12
"""Ratings that are compared at a time."""

_STANDARD_ERRORS = 2.0

_DOUBT = 1.3
"""By how much a belief is spread when it is gone back to: it was the start of a bad way."""


@dataclass(frozen=True)
class Baseline:
    """The best that there was.

    Attributes:
        mean: Of the ratings.
        variance: Of that mean.
        belief: As it was then.
    """

    mean: float
    variance: float
    belief: Belief


@dataclass(frozen=True)
class Guard:
    """Compares every `WINDOW` ratings with the best before them.

    Attributes:
        recent: Ratings since the last comparison.
        baseline: None until there was one.
    """

    recent: tuple[float, ...] = ()
    baseline: Baseline | None = None

    def after(self, rating: float, belief: Belief) -> tuple[Guard, Belief, bool]:
        """With one more rating.

        Args:
            rating: -1..1, of an act.
            belief: After the lesson of that rating.

        Returns:
            The guard, the belief to go on with, and whether that is one from before, because the mean of the ratings
            fell below the baseline by more than two standard errors of the difference.
        """
        recent = (*self.recent, rating)
        if len(recent) < WINDOW:
            return Guard(recent, self.baseline), belief, False
        mean, variance = float(np.mean(recent)), float(np.var(recent, ddof=1)) / WINDOW
        best = self.baseline
        if best is None or mean >= best.mean:
            return Guard((), Baseline(mean, variance, belief)), belief, False
        if mean < best.mean - _STANDARD_ERRORS * float(np.sqrt(variance + best.variance)):
            return Guard((), best), best.belief.widened(_DOUBT), True
        return Guard((), best), belief, False
