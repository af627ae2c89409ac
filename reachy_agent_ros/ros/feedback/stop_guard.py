"""Detection of stops that latch the emergency stop, before a text is processed in any other way.

The rule is that of feedback (`nlu/stop_rule.py`): a plain "stop" latches too. In a conversation, `ConversationListener`
passes only cries and texts longer than `SHORT`. In such a long text, a plain stop also latches: it cannot be judged as
a whole in time, and stopping is the safe error.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from rclpy.node import Node
from std_msgs.msg import Bool

from reachy_agent_ros.core import names
from reachy_agent_ros.nlu.stop_rule import Stop, stop_in_feedback
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

SHORT = 20_000
"""Maximum length of a text, or of a part of a longer text, that is checked at once (in a few ms), characters.

Checking more at once would hold the interpreter lock for so long that the heartbeat fails.
"""

_OVERLAP = 1_000
"""Overlap of two parts of a long text, characters: more than the context that determines a stop."""

_LONG_ONES = 4
"""Maximum number of long texts in the check or waiting for it. Of further texts, only beginning and end are checked."""


class StopGuard:
    """Latches the emergency stop for texts that contain a plain or urgent stop.

    Args:
        node: Node that publishes the stop.
        stopped: Called after each stop with the name of the person, which may be empty. Thread-safe.
    """

    def __init__(self, node: Node, stopped: Callable[[str], object] = lambda _who: None) -> None:
        self._stopped = stopped
        self._stops = node.create_publisher(Bool, names.EMERGENCY_STOP, STANDARD)
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="long_texts")
        self._room = threading.BoundedSemaphore(_LONG_ONES)

    def check(self, text: str, who: str = "") -> bool:
        """Publishes `emergency_stop` at once if a text contains a plain or urgent stop.

        Args:
            text: Text.
            who: Person who wrote or said it; empty if unknown.

        Returns:
            Whether the robot was stopped. The middle of a long text is checked later, in another thread.
        """
        if len(text) <= SHORT:
            return self._stop_at(text, who)
        stopped = any(self._stop_at(part, who) for part in (text[:SHORT], text[-SHORT:]))
        if not stopped and self._room.acquire(blocking=False):
            self._reader.submit(self._read, text, who)
        return stopped

    def heed(self, text: str) -> None:
        """Triggers the emergency stop for a stop that the reward model detected but `check` did not."""
        if stop_in_feedback(text) is Stop.NONE:
            self._stop("")

    def close(self) -> None:
        """Stops the checking thread."""
        self._reader.shutdown(cancel_futures=True)

    def _read(self, text: str, who: str) -> None:
        try:
            starts = range(0, len(text), SHORT - _OVERLAP)
            any(self._stop_at(text[start : start + SHORT], who) for start in starts)
        finally:
            self._room.release()

    def _stop_at(self, text: str, who: str) -> bool:
        urgent = stop_in_feedback(text) is Stop.EMERGENCY
        if urgent:
            self._stop(who)
        return urgent

    def _stop(self, who: str) -> None:
        self._stops.publish(Bool(data=True))
        self._stopped(who)
