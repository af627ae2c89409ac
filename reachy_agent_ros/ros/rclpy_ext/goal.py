"""A goal of an action, from its acceptance to its end."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from action_msgs.msg import GoalInfo, GoalStatus
from unique_identifier_msgs.msg import UUID

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message, wall_stamp

Report = Callable[[UUID, Any], None]
"""Sends a goal's feedback, from any thread."""

End = Callable[["Goal", Any, AgentError | None], None]
"""Takes a goal, its result and its error, in any thread."""


class Goal:
    """One accepted goal.

    Args:
        name: Message of its name.
        request: Message of the action's Goal type.
        report: Sends its feedback.
        on_end: Called once.

    Attributes:
        id: Its name everywhere.
        accepted: When it came, s on the steady clock.
        request: As it was given.
        cancel: Set, in the executor's thread, when somebody asks for its end.
        status: What its server tells of it.
        answer: What `get_result` is answered, when it has ended.
    """

    def __init__(self, name: UUID, request: Any, report: Report, on_end: End) -> None:
        self.id: uuid.UUID = uuid_from_message(name)
        self.accepted = time.monotonic()
        self.request: Any = request
        self.cancel = CancelToken()
        self.status = GoalStatus(
            goal_info=GoalInfo(goal_id=name, stamp=wall_stamp()), status=GoalStatus.STATUS_EXECUTING
        )
        self.answer: Future[Any] = Future()
        self._report = report
        self._on_end = on_end

    def report(self, feedback: Any) -> None:
        """Sends a Feedback message, from any thread."""
        self._report(self.status.goal_info.goal_id, feedback)

    def end(self, result: Any, error: AgentError | None = None) -> None:
        """Ends the goal, from any thread; to be called once.

        Args:
            result: Message of the action's Result type; its `error_code` and `error_msg` are filled in on the way.
            error: What went wrong, None if nothing did.
        """
        self.cancel.forget()
        self._on_end(self, result, error)
