"""Rate limit of the gateway's requests, separate for each caller."""

from __future__ import annotations

import math
import time

from limits import RateLimitItem, parse_many
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from reachy_agent_ros.core.errors import AgentError, ErrorCode

RATE = "200/second"
"""Default rate limit: twice the rate of the busiest client in this package."""


class RateLimit:
    """Rate limit with a sliding window, separate for each caller.

    Args:
        rate: Rate limit such as "200/second" or "5000/minute".

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the rate is malformed, or admits no request.
    """

    def __init__(self, rate: str = RATE) -> None:
        self._rate = _parsed(rate)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def wait(self, caller: str) -> int:
        """Counts a request. Returns 0 within the limit, otherwise the number of seconds until the caller may retry."""
        if await self._limiter.hit(self._rate, caller):
            return 0
        window = await self._limiter.get_window_stats(self._rate, caller)
        return max(1, math.ceil(window.reset_time - time.time()))


def _parsed(rate: str) -> RateLimitItem:
    try:
        (limit,) = parse_many(rate)
        if limit.amount > 0:
            return limit
    except ValueError:
        pass
    message = f"Invalid rate {rate!r:.60}: expected COUNT/UNIT, for example {RATE}."
    raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
