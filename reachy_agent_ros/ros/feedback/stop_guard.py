"""Stopping the robot at what people cry, before anything else is done with it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from rclpy.node import Node
from std_msgs.msg import Bool

from reachy_agent_ros.core import names
from reachy_agent_ros.nlu.stop_rule import Stop, stop_in_feedback
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

SHORT = 20_000
"""Characters of a text that is read at once, in some milliseconds; of a longer one, so many at a time in a thread.

What reads more at once would hold the interpreter's lock for so long that the heartbeat fails."""

_OVERLAP = 1_000
"""Characters that two pieces of a long text share: more than what is around a stop and decides about it."""

_LONG_ONES = 4
"""Long texts that wait to be read; of more, only the beginnings and ends are."""


class StopGuard:
    """Reads every text for an urgent stop, and sends `emergency_stop` in the same breath.

    Args:
        node: Node that publishes.
    """

    def __init__(self, node: Node) -> None:
        self._stops = node.create_publisher(Bool, names.EMERGENCY_STOP, STANDARD)
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="long_texts")
        self._room = threading.BoundedSemaphore(_LONG_ONES)

    def check(self, text: str) -> bool:
        """Stops the robot if the text says so. Returns whether it did; a long text may do so a moment later."""
        if len(text) <= SHORT:
            return self._stop_at(text)
        stopped = any(self._stop_at(part) for part in (text[:SHORT], text[-SHORT:]))
        if not stopped and self._room.acquire(blocking=False):
            self._reader.submit(self._read, text)
        return stopped

    def heed(self, text: str) -> None:
        """Stops the robot at what the reward model takes for an urgent stop, unless `check` saw it."""
        if stop_in_feedback(text) is Stop.NONE:
            self._stop()

    def close(self) -> None:
        """Ends the thread."""
        self._reader.shutdown(cancel_futures=True)

    def _read(self, text: str) -> None:
        try:
            starts = range(0, len(text), SHORT - _OVERLAP)
            any(self._stop_at(text[start : start + SHORT]) for start in starts)
        finally:
            self._room.release()

    def _stop_at(self, text: str) -> bool:
        urgent = stop_in_feedback(text) is Stop.EMERGENCY
        if urgent:
            self._stop()
        return urgent

    def _stop(self) -> None:
        self._stops.publish(Bool(data=True))
