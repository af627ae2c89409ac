"""Targets that were sent while nobody took them."""

from __future__ import annotations

import math

from reachy_agent_ros.robot.stream import TIMEOUT

BACKLOG = 0.2
"""Seconds in which what piled up in sockets and queues is read, on a busy machine too."""


class Standstill:
    """Notices by the loop's own steps that it stood still: its process was halted, or the machine slept.

    What was sent meanwhile comes all at once when it goes on. Its sender wanted it then, and the dead man's switch
    would let the robot follow the last of it for as long as it takes to find that nothing more comes.
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
