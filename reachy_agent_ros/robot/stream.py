"""Streams of targets: a rate limit, a dead man's switch, and targets from before the receiver stood still."""

from __future__ import annotations

import math

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.robot.finding import TargetError

TIMEOUT = 0.25
"""Seconds of silence after which a stream is over and the robot holds (dead man's switch)."""

RATE_LIMIT = 120.0
"""Targets a second that are taken, a little above the motion loop's own 100 Hz; more can change nothing."""

BURST = 12.0
"""Targets that may come at once: a tenth of a second's worth, what a scheduler hiccup piles up."""

BACKLOG = 0.2
"""Seconds in which what piled up in sockets and queues is read, on a busy machine too."""


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


class Standstill:
    """Notices by the loop's own steps that it stood still: its process was halted, or the machine slept.

    What was sent meanwhile arrives all at once when the loop goes on. The sender wanted it then, not now, and the dead
    man's switch would let the robot follow the last target until it finds that no more targets come.
    """

    def __init__(self) -> None:
        self._last = math.inf
        self._over = -math.inf

    def step(self, now: float) -> None:
        """Notes a step of the loop, s on the steady clock."""
        if now - self._last > TIMEOUT:
            self._over = now + BACKLOG
        self._last = now

    def lately(self, now: float) -> bool:
        """Whether what comes now may have been sent while the loop stood still, or does."""
        return now < self._over or now - self._last > TIMEOUT
