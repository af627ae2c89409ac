"""How often each caller may ask."""

from __future__ import annotations

import math
import time

from limits import parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from reachy_agent_ros.core.errors import AgentError, ErrorCode

RATE = "200/second"
"""Twice what the busiest program here asks for."""


class RateLimit:
    """Counts, in a moving window, and separately for each caller.

    Args:
        rate: Such as "200/second" or "5000/minute".

    Raises:
        AgentError: `INVALID_ARGUMENTS`: no rate.
    """

    def __init__(self, rate: str = RATE) -> None:
        try:
            self._rate = parse(rate)
        except ValueError:
            message = f"{rate!r:.60} is no rate; a right one is {RATE}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from None
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def wait(self, caller: str) -> int:
        """Counts a request. Returns 0 if it is within the rate, else the s after which to ask again."""
        if await self._limiter.hit(self._rate, caller):
            return 0
        window = await self._limiter.get_window_stats(self._rate, caller)
        return max(1, math.ceil(window.reset_time - time.time()))
