"""Safeguards for target streams: rate limit, dead man's switch, and detection of a stalled receiver."""

from __future__ import annotations

import math

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.robot.finding import TargetError

TIMEOUT = 0.25
"""Time without a target after which a stream ends and the robot holds, s (dead man's switch)."""

RATE_LIMIT = 120.0
"""Maximum number of targets per second, slightly above the 100 Hz of the motion loop; more would have no effect."""

BURST = 12.0
"""Number of targets that may arrive at the same time: the targets of 0.1 s, as after a scheduling delay."""

BACKLOG = 0.2
"""Time that is sufficient to read the targets queued during a stall, even on a busy machine, s."""


class StreamGuard:
    """Rate limiter (token bucket) and timeout for a stream of targets.

    Args:
        now: Time on the steady clock, s.
    """

    def __init__(self, now: float) -> None:
        self._tokens = BURST
        self._refilled = now
        self._last = now

    def take(self, now: float) -> None:
        """Accepts one target of the stream.

        Raises:
            TargetError: `RATE_EXCEEDED`. Even a rejected target prevents the stream from becoming stale.
        """
        self._last = now
        self._tokens = min(BURST, self._tokens + (now - self._refilled) * RATE_LIMIT)
        self._refilled = now
        if self._tokens < 1.0:
            message = f"Too many targets: at most {RATE_LIMIT:.0f} per second are accepted."
            raise TargetError(ErrorCode.RATE_EXCEEDED, message, "rate", RATE_LIMIT)
        self._tokens -= 1.0

    def stale(self, now: float) -> bool:
        """Returns whether the stream has been silent for longer than `TIMEOUT`."""
        return now - self._last > TIMEOUT


class Standstill:
    """Detects stalls of a loop, which occur if the process is suspended or the computer sleeps.

    Targets that were sent during a stall arrive at the same time when the loop resumes. They are outdated, but with
    only the dead man's switch, the robot would follow the last one until the switch detects the silence after it.
    """

    def __init__(self) -> None:
        self._last = math.inf
        self._over = -math.inf

    def step(self, now: float) -> None:
        """Records a step of the loop. `now` is the time (s) on the steady clock."""
        if now - self._last > TIMEOUT:
            self._over = now + BACKLOG
        self._last = now

    def lately(self, now: float) -> bool:
        """Returns whether a target that arrives now may have been sent during a stall.

        The result is also True while the stall lasts.
        """
        return now < self._over or now - self._last > TIMEOUT
