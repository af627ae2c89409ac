"""Guards of target streams: rate limit, dead man's switch, and detection of a stalled receiver."""

from __future__ import annotations

import math

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.robot.finding import TargetError

TIMEOUT = 0.25
"""Silence after which a stream ends and the robot holds, s (dead man's switch)."""

RATE_LIMIT = 120.0
"""Accepted targets per second, slightly above the motion loop's 100 Hz; more would have no effect."""

BURST = 12.0
"""Targets that may arrive at once: 0.1 s of them, as after a delay of the scheduler."""

BACKLOG = 0.2
"""Time to read the targets queued during a stall, s, even on a busy machine."""


class StreamGuard:
    """Limits the rate of a stream (token bucket) and detects its silence.

    Args:
        now: Time by the steady clock, s.
    """

    def __init__(self, now: float) -> None:
        self._tokens = BURST
        self._refilled = now
        self._last = now

    def take(self, now: float) -> None:
        """Accepts one target.

        Raises:
            TargetError: `RATE_EXCEEDED`. Even a refused target keeps the stream from going stale.
        """
        self._last = now
        self._tokens = min(BURST, self._tokens + (now - self._refilled) * RATE_LIMIT)
        self._refilled = now
        if self._tokens < 1.0:
            message = f"Too many targets: at most {RATE_LIMIT:.0f} per second are accepted."
            raise TargetError(ErrorCode.RATE_EXCEEDED, message, "rate", RATE_LIMIT)
        self._tokens -= 1.0

    def stale(self, now: float) -> bool:
        """Whether the stream has been silent for longer than `TIMEOUT`."""
        return now - self._last > TIMEOUT


class Standstill:
    """Detects from a loop's steps that the loop stalled, because its process was suspended or the machine slept.

    Targets sent during the stall arrive all at once when the loop resumes. They are outdated, and the dead man's switch
    alone would let the robot follow the last one until it detects the silence after it.
    """

    def __init__(self) -> None:
        self._last = math.inf
        self._over = -math.inf

    def step(self, now: float) -> None:
        """Records a step of the loop at a time by the steady clock, s."""
        if now - self._last > TIMEOUT:
            self._over = now + BACKLOG
        self._last = now

    def lately(self, now: float) -> bool:
        """Whether a target that arrives now may have been sent during a stall, which may not have ended yet."""
        return now < self._over or now - self._last > TIMEOUT
