"""Deadlines, rate limits, and parsing of durations such as `10m`."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable

LONGEST_DURATION = 1e9
"""Longest duration, s: about thirty years, half of what a message can represent."""

_WRITTEN = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|min|h|d)", re.ASCII)

_SECONDS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


class Deadline:
    """Deadline on the steady clock, which is not affected when the wall clock is set.

    Args:
        seconds: Time from now, s.
        clock: Steady clock, s; replaceable for simulated time.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds

    @property
    def remaining(self) -> float:
        """Remaining time in seconds; 0 after the deadline."""
        return max(0.0, self._end - self._clock())

    @property
    def passed(self) -> bool:
        """Whether the deadline has passed."""
        return self.remaining == 0.0


class Pace:
    """Rate limit with a mean of one action per period. For use in one thread.

    At the start and after a pause, two actions may follow each other immediately.

    Args:
        period: Mean period, s.
        clock: Steady clock, s; replaceable for simulated time.
    """

    def __init__(self, period: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._period = period
        self._clock = clock
        self._due = -math.inf

    def is_due(self) -> bool:
        """Returns whether the next period may start. If so, starts it."""
        now = self._clock()
        if now < self._due:
            return False
        # Counted from the due time, not from now: otherwise the rate would be lower than intended.
        self._due = max(self._due + self._period, now)
        return True


def duration(text: str) -> float:
    """Parses a duration such as "90s", "10m", "10min", "2h" or "7d", and returns it in seconds.

    Raises:
        ValueError: The text is not a duration, or the duration is zero or longer than `LONGEST_DURATION`.
    """
    written = _WRITTEN.fullmatch(text)
    seconds = float(written[1]) * _SECONDS[written[2]] if written else 0.0
    if not 0.0 < seconds <= LONGEST_DURATION:
        raise ValueError(f"invalid duration {text!r:.40}: expected a value such as 90s, 10m, 2h or 7d")
    return seconds
