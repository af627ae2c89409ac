"""Who is told when something of the mind changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reachy_agent_ros.agent.conversation.status import Status
from reachy_agent_ros.agent.permissions.grants import Grant
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.planning.task_tree import TaskTree


@dataclass(frozen=True)
class Watchers:
    """Who is told when something of the mind changes, in whichever thread changed it.

    Attributes:
        status: Takes what it is doing.
        approvals: Takes everything that waits for a person, oldest first.
        grants: Takes all that a person granted, oldest first.
        plan: Takes a conversation and its plan, None where it has none any more.
        stopped: Called when a person stops the robot.
    """

    status: Callable[[Status], None] = lambda _status: None
    approvals: Callable[[list[PendingApproval]], None] = lambda _pending: None
    grants: Callable[[list[Grant]], None] = lambda _grants: None
    plan: Callable[[str, TaskTree | None], None] = lambda _session_id, _tree: None
    stopped: Callable[[], None] = lambda: None
