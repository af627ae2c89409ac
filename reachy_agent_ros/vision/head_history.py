"""Where the head was in the last moments, because a picture is worth nothing without where it was taken from."""

from __future__ import annotations

import threading
from bisect import bisect
from collections import deque

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, interpolate

DEPTH = 100
"""Poses that are remembered: two seconds of what the bridge tells."""


class HeadHistory:
    """Measured poses of `head` in `head_base` by the wall clock's time. Any thread may use it."""

    def __init__(self) -> None:
        self._poses: deque[tuple[float, Matrix]] = deque(maxlen=DEPTH)
        self._grown = threading.Condition()

    def add(self, stamp: float, head: Matrix) -> None:
        """Remembers a pose, m, of the moment `stamp`, s. A stamp before the last one begins a new history."""
        with self._grown:
            if self._poses and stamp <= self._poses[-1][0]:
                self._poses.clear()
            self._poses.append((stamp, head))
            self._grown.notify_all()

    def newest(self, since: float, timeout: float) -> tuple[float, Matrix]:
        """The latest pose and its time; waits for one that is not older than `since`, s, for at most `timeout`, s.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` when none came in time.
        """
        deadline = Deadline(timeout)
        with self._grown:
            while not self._poses or self._poses[-1][0] < since:
                if not self._grown.wait(deadline.remaining) and deadline.passed:
                    message = f"Where the head is was not told within {timeout:g} s: the hardware_bridge is silent."
                    raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
            return self._poses[-1]

    def at(self, stamp: float) -> Matrix:
        """The pose at a moment, s, between those before and after it; the nearest one outside of what is remembered.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` when nothing is remembered.
        """
        with self._grown:
            poses = list(self._poses)
        if not poses:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, "Where the head was is not known.")
        after = bisect([time for time, _ in poses], stamp)
        if after in (0, len(poses)):
            return poses[min(after, len(poses) - 1)][1]
        (earlier, start), (later, end) = poses[after - 1], poses[after]
        return start if stamp == earlier else interpolate(start, end, (stamp - earlier) / (later - earlier))
