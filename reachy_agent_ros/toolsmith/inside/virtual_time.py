"""Time that passes only where the host lets it: a rehearsed minute takes a moment, and is the same each time."""

from __future__ import annotations

import datetime
import selectors
import time
from collections.abc import Callable
from typing import Any

from .host import Link

PATIENCE = 100
"""Readings of the clock in a row after which a tool counts as waiting busily, and time goes on."""

STEP = 0.01
"""s by which it then goes on."""


class VirtualClock:
    """The host's clock as the tool sees it: it stands still but for what the host is asked to do.

    Args:
        link: To the host.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._asked = -1
        self._now = 0.0
        self._readings = 0

    def now(self) -> float:
        """Seconds of the host's clock; it is asked only after something may have taken time."""
        if self._link.calls != self._asked:
            self.sleep(0.0)
        self._readings += 1
        if self._readings > PATIENCE:
            self.sleep(STEP)
        return self._now

    def sleep(self, seconds: float) -> None:
        """Lets time pass."""
        if seconds < 0.0:
            raise ValueError("sleep length must be non-negative")
        self._now = float(self._link.ask("sleep", seconds=float(seconds)))
        self._asked = self._link.calls
        self._readings = 0


def install(link: Link) -> None:
    """Puts the virtual clock in the place of the machine's, for everything in this process."""
    clock = VirtualClock(link)
    wall = time.time()
    _replace(time, {**_time_functions(clock.now, wall), "sleep": clock.sleep})
    _replace(datetime, {"datetime": _datetime(clock.now, wall)})
    _replace(selectors, {"DefaultSelector": _selector(clock)})  # every event loop waits for its timers in one


def _replace(module: Any, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(module, name, value)


def _time_functions(now: Callable[[], float], wall: float) -> dict[str, Callable[[], float]]:
    return {
        "time": lambda: wall + now(),
        "time_ns": lambda: int((wall + now()) * 1e9),
        **dict.fromkeys(("monotonic", "perf_counter"), now),
        **dict.fromkeys(("monotonic_ns", "perf_counter_ns"), lambda: int(now() * 1e9)),
    }


def _datetime(now: Callable[[], float], wall: float) -> type[datetime.datetime]:
    class VirtualDatetime(datetime.datetime):
        """The present by the virtual clock."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> VirtualDatetime:
            return cls.fromtimestamp(wall + now(), tz)

        @classmethod
        def today(cls) -> VirtualDatetime:
            return cls.now()

        @classmethod
        def utcnow(cls) -> VirtualDatetime:
            return cls.now(datetime.UTC).replace(tzinfo=None)

    return VirtualDatetime


def _selector(clock: VirtualClock) -> type[selectors.DefaultSelector]:
    class VirtualSelector(selectors.DefaultSelector):
        """Lets time pass instead of waiting."""

        def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
            if timeout is None or timeout <= 0.0:
                return super().select(timeout)
            ready = super().select(0.0)
            if not ready:
                clock.sleep(timeout)
            return ready

    return VirtualSelector
