"""Real time for sound that comes from memory or disk instead of a device."""

from __future__ import annotations

import time

from reachy_agent_ros.core.cancel import CancelToken

LATE = 0.1
"""Seconds behind which lost time is given up: catching up would make a burst that no listener expects."""


class Pacer:
    """Lets samples pass as fast as they sound, from the first call of `wait` on.

    Args:
        sample_rate: Hz.
    """

    def __init__(self, sample_rate: int) -> None:
        self._rate = sample_rate
        self._due = -float("inf")

    def wait(self, samples: int, cancel: CancelToken) -> bool:
        """Waits until the samples let through before have sounded, then lets `samples` more through.

        Returns:
            Whether they may pass: False after a cancel.
        """
        now = time.monotonic()
        if now - self._due > LATE:
            self._due = now
        cancelled = cancel.wait(max(0.0, self._due - now))
        self._due += samples / self._rate
        return not cancelled
