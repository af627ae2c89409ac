"""Time limits: deadlines, a limit on how often something is done, and durations as people type them."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable

LONGEST_DURATION = 1e9
"""Longest duration, s: about thirty years; a message holds twice as much."""

_WRITTEN = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|min|h|d)", re.ASCII)

_SECONDS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


class Deadline:
    """A time by which something must have ended, on the steady clock: setting the wall clock does not change it.

    Args:
        seconds: Seconds from now.
        clock: Steady clock, s; a clock of its own for simulated time.
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
    """Limits how often one thread does something.

    Args:
        period: Mean time from one time to the next, s.
        clock: Steady clock, s; a clock of its own for simulated time.
    """

    def __init__(self, period: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._period = period
        self._clock = clock
        self._due = -math.inf

    def is_due(self) -> bool:
        """Whether it is time again; True begins the next period."""
        now = self._clock()
        if now < self._due:
            return False
        # Counted from when it was due; else the pace would be slower than intended.
        self._due = max(self._due + self._period, now)
        return True


def duration(text: str) -> float:
    """Seconds of "90s", "10m", "10min", "2h" or "7d".

    Raises:
        ValueError: The text is not a duration, or it is zero or longer than `LONGEST_DURATION`.
    """
    written = _WRITTEN.fullmatch(text)
    seconds = float(written[1]) * _SECONDS[written[2]] if written else 0.0
    if not 0.0 < seconds <= LONGEST_DURATION:
        raise ValueError(f"{text!r:.40} is no duration like 90s, 10m, 2h or 7d")
    return seconds
