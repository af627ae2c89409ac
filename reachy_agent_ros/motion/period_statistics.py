"""How punctual a loop is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Punctuality:
    """Deviation of a window of periods from the nominal one, s.

    Attributes:
        p50: Median.
        p99: 99th percentile.
        worst: Greatest.
        overruns: Periods skipped since the start because the loop was later than a whole one.
    """

    p50: float
    p99: float
    worst: float
    overruns: int


class PeriodStatistics:
    """Keeps the deviations of the last periods. One thread adds, any thread asks.

    Args:
        period: Nominal, s.
        window: Number of periods kept.
    """

    def __init__(self, period: float, window: int = 3000) -> None:
        self._period = period
        self._deviations = np.zeros(window)
        self._count = 0
        self.overruns = 0

    @property
    def count(self) -> int:
        """Periods seen since the start."""
        return self._count

    def add(self, period: float) -> None:
        """Notes the length of one period, s."""
        self._deviations[self._count % len(self._deviations)] = abs(period - self._period)
        self._count += 1

    def punctuality(self) -> Punctuality:
        """Statistics of the window; zeros before the first period."""
        seen = self._deviations[: min(self._count, len(self._deviations))]
        if len(seen) == 0:
            return Punctuality(0.0, 0.0, 0.0, self.overruns)
        p50, p99, worst = (float(value) for value in np.percentile(seen, [50, 99, 100]))
        return Punctuality(p50, p99, worst, self.overruns)
