"""A moment by which something must have ended."""

import time
from collections.abc import Callable


class Deadline:
    """A moment on the steady clock, so that a stepped wall clock moves nothing.

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
