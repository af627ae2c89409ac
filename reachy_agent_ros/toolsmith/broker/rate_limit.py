"""How often something may happen."""

from __future__ import annotations


class TokenBucket:
    """So many a second, and a few at once.

    Args:
        rate: 1/s.
        burst: How many may come at once.
        now: Any steady clock, s.
    """

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._filled = now

    def take(self, now: float) -> bool:
        """Whether one more may happen now."""
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True
