"""The clocks on which a robot under test measures: the machine's, or one that goes as fast as the test computes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from support.waiting import wait_until

PERIOD = 0.01
"""Seconds between two looks at a condition."""


class Clock(Protocol):
    """What a test needs of a clock."""

    def __call__(self) -> float:
        """The time, s."""
        ...

    def wait_until(self, condition: Callable[[], bool], timeout: float, what: str) -> None:
        """Lets time pass until `condition` holds; fails after `timeout` seconds of this clock."""
        ...


class SteadyClock:
    """The machine's, for a robot that another process simulates."""

    def __call__(self) -> float:
        return time.monotonic()

    def wait_until(self, condition: Callable[[], bool], timeout: float, what: str) -> None:
        wait_until(condition, timeout, what)


STEADY = SteadyClock()


class SteppedClock:
    """Goes on only while a test waits. A simulation on it does the same on every machine, however busy.

    Attributes:
        now: The time, s; a test may set it.
    """

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def wait_until(self, condition: Callable[[], bool], timeout: float, what: str) -> None:
        end = self.now + timeout
        while not condition():
            assert self.now < end, f"simulated {timeout} s in vain for {what}"
            self.now += PERIOD
