"""Clocks for robots under test: the system clock or a simulated clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from support.waiting import wait_until

PERIOD = 0.01
"""Time between two checks of a condition, s."""


class Clock(Protocol):
    """Protocol of clocks for tests."""

    def __call__(self) -> float:
        """Returns the time in seconds."""
        ...

    def wait_until(self, condition: Callable[[], bool], timeout: float, what: str) -> None:
        """Waits until `condition` is true. Fails after `timeout` seconds of this clock."""
        ...


class SteadyClock:
    """Steady clock of the machine, for a robot in another process."""

    def __call__(self) -> float:
        return time.monotonic()

    def wait_until(self, condition: Callable[[], bool], timeout: float, what: str) -> None:
        wait_until(condition, what, timeout=timeout)


STEADY = SteadyClock()


class SteppedClock:
    """Clock that advances only while a test waits, so that simulations are reproducible on any machine.

    Attributes:
        now: Current time, s; a test can set it.
    """

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def wait_until(self, condition: Callable[[], bool], timeout: float, what: str) -> None:
        end = self.now + timeout
        while not condition():
            assert self.now < end, f"simulated {timeout} s for {what}"
            self.now += PERIOD
