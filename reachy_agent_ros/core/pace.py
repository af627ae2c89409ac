"""How often something is done at the most."""

import math
import time
from collections.abc import Callable


class Pace:
    """Tells one thread when it is time again.

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
