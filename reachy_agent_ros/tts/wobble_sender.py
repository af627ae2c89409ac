"""The thread that has the head wobble."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from reachy_agent_ros.tts.wobble import HeadOffset
from reachy_agent_ros.tts.wobbler import Wobbler

PERIOD = 0.02
"""Seconds between two offsets."""

TICK = 0.5
"""Seconds after which the thread looks around although the head rests."""


class WobbleSender:
    """Sends a wobbler's offsets while the head moves, the last one being zero. The player never waits for it.

    Args:
        wobbler: Knows what to send.
        send: Called in this thread.
    """

    def __init__(self, wobbler: Wobbler, send: Callable[[HeadOffset], None]) -> None:
        self._wobbler = wobbler
        self._send = send
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="wobble", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        due = 0.0
        while not self._closing.is_set():
            if self._wobbler.wait(TICK):
                self._send(self._wobbler.advance())
                now = time.monotonic()
                due = max(due + PERIOD, now)
                self._closing.wait(due - now)
