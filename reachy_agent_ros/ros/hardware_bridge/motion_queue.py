"""Motions that wait for the one before them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.goal import Goal

CAPACITY = 8
"""Motions that wait. Who has more to say says it later: what waits for minutes is out of place when it comes."""


class MotionQueue:
    """First come, first served. Belongs to the executor's thread.

    Args:
        start: Begins a goal's motion.
        refuse: Ends a goal that has not begun.
    """

    def __init__(self, start: Callable[[Goal], None], refuse: Callable[[Goal, AgentError], None]) -> None:
        self._start = start
        self._refuse = refuse
        self._waiting: deque[Goal] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, goal: Goal) -> None:
        """Has a goal wait; its cancel ends it.

        Raises:
            AgentError: `COMMANDER_BUSY`: too many wait.
        """
        if len(self._waiting) >= CAPACITY:
            raise AgentError(ErrorCode.COMMANDER_BUSY, f"{CAPACITY} motions wait already: send it when one has ended.")
        self._waiting.append(goal)
        goal.cancel.on_cancel(
            lambda: self._withdraw(goal, AgentError(ErrorCode.CANCELED, "It was cancelled before it began."))
        )

    def proceed(self) -> None:
        """Begins the next, if any waits."""
        if self._waiting:
            self._start(self._waiting.popleft())

    def clear(self, error: AgentError, commander: str | None = None) -> None:
        """Ends everything that waits, or what one commander has waiting."""
        for goal in list(self._waiting):
            if commander in (None, goal.request.commander):
                self._withdraw(goal, error)

    def _withdraw(self, goal: Goal, error: AgentError) -> None:
        if goal in self._waiting:
            self._waiting.remove(goal)
            self._refuse(goal, error)
