"""Whose turn it is to speak."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

GRACE = 0.7
"""Seconds after an utterance has ended in which it may still go on, and a tenth more for the news of that: who paused
in mid-sentence is not talked over."""

STALE = 0.5
"""Seconds after which nobody speaks any more, unless it is said again: the ears may have died."""


class Floor:
    """Knows whether a person speaks, or may go on. Use it from one event loop.

    Args:
        clock: Steady clock, s.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._speaking = False
        self._free_at = -float("inf")

    def update(self, speaking: bool) -> None:
        """Takes whether a person speaks now; to be told again and again while they do."""
        if speaking:
            self._free_at = self._clock() + STALE
        elif self._speaking:
            self._free_at = self._clock() + GRACE
        self._speaking = speaking

    async def free(self) -> None:
        """Waits until nobody speaks and nobody will go on."""
        left = self._free_at - self._clock()
        if left > 0.0:
            await asyncio.sleep(left)
            await self.free()
