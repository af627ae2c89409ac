"""The sending side of a heartbeat: proof that a node's loop turns, on time even when the loop is busy."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from reachy_agent_ros.nodes.qos import HEARTBEAT_PERIOD

LOOP_PATIENCE = 2.0
"""Seconds without a turn after which a loop counts as hung."""


class Pulse:
    """Beats in a thread of its own for as long as the loop that works turns.

    An executor that is woken by events takes them in order, so behind a flood of calls its timers are late. If it sent
    the beats, a node that works hard would pass for a dead one, and the robot would be stopped in mid-move.

    Args:
        beat: Sends one heartbeat.
    """

    def __init__(self, beat: Callable[[], None]) -> None:
        self._beat = beat
        self._turned = -float("inf")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
        self._thread.start()

    def turn(self) -> None:
        """Notes that the loop has turned. To be called by the loop itself."""
        self._turned = time.monotonic()

    def close(self) -> None:
        """Stops beating. Safe to call twice."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(HEARTBEAT_PERIOD):
            if time.monotonic() - self._turned < LOOP_PATIENCE:
                self._beat()
