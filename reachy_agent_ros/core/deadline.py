"""Time limits: a deadline, a pace that is not exceeded, and durations as people type them."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable

LONGEST_DURATION = 1e9
"""Seconds, some thirty years; a message holds twice as many."""

_WRITTEN = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|min|h|d)", re.ASCII)

_SECONDS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


class Deadline:
    """A moment by which something must have ended, on the steady clock: a stepped wall clock moves nothing.

    Args:
        seconds: From now.
        clock: Steady clock, s; another than the machine's own for what lives in simulated time.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds

    @property
    def remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self._end - self._clock())

    @property
    def passed(self) -> bool:
        """Whether no time is left."""
        return self.remaining == 0.0


class Pace:
    """How often something is done at the most: tells one thread when it is time again.

    Args:
        period: s from one time to the next, in the mean.
        clock: Steady clock, s; another than the machine's own for what lives in simulated time.
    """

    def __init__(self, period: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._period = period
        self._clock = clock
        self._due = -math.inf

    def is_due(self) -> bool:
        """Whether it is time; whoever is told so has had it."""
        now = self._clock()
        if now < self._due:
            return False
        # Counted from when it was due, or every pace would come out slower than it is meant.
        self._due = max(self._due + self._period, now)
        return True


def duration(text: str) -> float:
    """Seconds of "90s", "10m", "10min", "2h" or "7d".

    Raises:
        ValueError: It is none, or none that anybody waits for.
    """
    written = _WRITTEN.fullmatch(text)
    seconds = float(written[1]) * _SECONDS[written[2]] if written else 0.0
    if not 0.0 < seconds <= LONGEST_DURATION:
        raise ValueError(f"{text!r:.40} is no duration like 90s, 10m, 2h or 7d")
    return seconds
