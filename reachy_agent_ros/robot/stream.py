"""A stream of targets, from somebody who may send too many or fall silent."""

from __future__ import annotations

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.robot.finding import TargetError

TIMEOUT = 0.25
"""Seconds of silence after which a stream is over and the robot holds (dead man's switch)."""

RATE_LIMIT = 120.0
"""Targets a second that are taken, a little above the motion loop's own 100 Hz; more can change nothing."""

BURST = 12.0
"""Targets that may come at once: a tenth of a second's worth, what a scheduler hiccup piles up."""


class StreamGuard:
    """Counts what comes in (a token bucket) and notices when nothing comes.

    Args:
        now: Steady clock, s.
    """

    def __init__(self, now: float) -> None:
        self._tokens = BURST
        self._refilled = now
        self._last = now

    def take(self, now: float) -> None:
        """Lets one target in.

        Raises:
            TargetError: `RATE_EXCEEDED`. The target counts as a sign of life all the same.
        """
        self._last = now
        self._tokens = min(BURST, self._tokens + (now - self._refilled) * RATE_LIMIT)
        self._refilled = now
        if self._tokens < 1.0:
            message = f"More than {RATE_LIMIT:.0f} targets came in a second."
            raise TargetError(ErrorCode.RATE_EXCEEDED, message, "rate", RATE_LIMIT)
        self._tokens -= 1.0

    def stale(self, now: float) -> bool:
        """Whether the stream has been silent for longer than `TIMEOUT`."""
        return now - self._last > TIMEOUT
