"""Time limits for any number of calls, kept by one thread."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable


class Watchdog:
    """Calls back when time is up. A thread for each limit would cost a call some milliseconds to start."""

    def __init__(self) -> None:
        self._limits: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
        self._thread.start()

    def watch(self, seconds: float, callback: Callable[[], None]) -> None:
        """Calls `callback` in `seconds`, also if what it limits has ended by then."""
        limit = (time.monotonic() + seconds, next(self._order), callback)
        with self._changed:
            heapq.heappush(self._limits, limit)
            if self._limits[0] is limit:
                self._changed.notify()

    def close(self) -> None:
        """Calls nobody back any more."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while (callback := self._next()) is not None:
            callback()

    def _next(self) -> Callable[[], None] | None:
        with self._changed:
            while not self._closed:
                left = self._limits[0][0] - time.monotonic() if self._limits else None
                if left is not None and left <= 0.0:
                    return heapq.heappop(self._limits)[2]
                self._changed.wait(left)
        return None
