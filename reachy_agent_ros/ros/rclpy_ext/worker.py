"""A thread for work that takes longer than a callback may."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


PATIENCE = 2.0
"""s that one piece of work may take: on a machine with better things to do, a picture may take half of that."""


class Worker:
    """Does one thing after another. What is offered is done only if nothing newer was offered meanwhile.

    Args:
        name: Of the thread.
    """

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._lock = threading.Lock()
        self._offered: Callable[[], None] | None = None
        self._running: Future[None] | None = None
        self._pulse: Future[None] = self._pool.submit(_nothing)
        self._pulse_due = time.monotonic() + PATIENCE

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """Does this in its turn, whatever comes after it."""
        return self._pool.submit(work)

    def offer(self, work: Callable[[], None]) -> None:
        """Does this next, unless something else is offered before its turn.

        Raises:
            Exception: What the work before raised: a bug ends the node, instead of going unseen.
        """
        with self._lock:
            self._offered = work
            if self._running is not None and not self._running.done():
                return
            before, self._running = self._running, self._pool.submit(self._do_offered)
        if before is not None:
            before.result()

    def alive(self) -> bool:
        """Whether the thread still comes to its turns; to be asked now and then."""
        if self._pulse.done():
            self._pulse, self._pulse_due = self._pool.submit(_nothing), time.monotonic() + PATIENCE
        return time.monotonic() < self._pulse_due

    def close(self) -> None:
        """Finishes what was submitted, and takes no more."""
        self._pool.shutdown()

    def _do_offered(self) -> None:
        while True:
            with self._lock:
                work, self._offered = self._offered, None
                if work is None:
                    self._running = None
                    return
            work()


def _nothing() -> None:
    """Takes its turn."""
