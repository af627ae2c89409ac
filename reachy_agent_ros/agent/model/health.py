"""Whether an endpoint is worth asking: after a failure it is left alone for a while, longer each time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

FIRST_REST = 2.0
"""Seconds after the first failure."""

LONGEST_REST = 60.0
"""Seconds after many: a server that comes back is found within about a minute and a half."""


class Health:
    """Failures of one endpoint.

    Rests grow twofold, each multiplied by a chance between 0.5 and 1.5, so that several robots do not ask a server
    that has just come back all at once (exponential back-off with jitter).

    Args:
        clock: Seconds, monotonic.
        chance: Gives a number between two others.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, chance: Callable[[float, float], float] = random.uniform
    ) -> None:
        self._clock = clock
        self._chance = chance
        self._failures = 0
        self._again = 0.0

    @property
    def rest(self) -> float:
        """Seconds until it should be asked again, 0 if it may be now."""
        return max(0.0, self._again - self._clock()) if self._failures else 0.0

    def failed(self) -> None:
        """Notes a failure."""
        # The exponent is bounded: 2.0 to the power of some thousand failures is no float any more.
        rest = min(LONGEST_REST, FIRST_REST * 2.0 ** min(self._failures, 16))
        self._failures += 1
        self._again = self._clock() + rest * self._chance(0.5, 1.5)

    def succeeded(self) -> None:
        """Notes an answer: all failures are forgotten."""
        self._failures = 0
