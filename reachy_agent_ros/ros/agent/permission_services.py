"""Services for permissions: decide approvals, add grants and revoke grants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.srv import AddGrant, DecideApproval, RevokeGrant

from reachy_agent_ros.agent.permissions.grants import Grant
from reachy_agent_ros.agent.permissions.permission_service import PermissionService
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.nlu.answer import YesNoAnswer
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, uuid_from_message, uuid_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.principal_messages import claimed, principal_from_message
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService


class PermissionServices:
    """Service servers for people's decisions about tool calls.

    Requests run in threads of the agent's event loop. A decision is on disk before it takes effect, and another process
    may hold the lock of the audit log for seconds.

    Args:
        node: Node that serves the services.
        office: Applies and logs the decisions.
        loop: Event loop of the agent.
    """

    def __init__(self, node: Node, office: PermissionService, loop: EventLoop) -> None:
        self._office = office
        served: tuple[tuple[type, str, Callable[[Any], Any]], ...] = (
            (DecideApproval, names.DECIDE_APPROVAL, self._decide),
            (AddGrant, names.ADD_GRANT, self._grant),
            (RevokeGrant, names.REVOKE_GRANT, self._revoke),
        )
        self._services = [SlowService(node, kind, name, partial(_submit, loop, work)) for kind, name, work in served]

    def _decide(self, request: DecideApproval.Request) -> DecideApproval.Response:
        answer = YesNoAnswer(request.approve, request.whole_session, seconds_of(request.valid_for))
        approval_id = uuid_from_message(request.approval_id)
        principal = principal_from_message(request.decided_by)
        self._office.enforcement.decide(
            approval_id, answer, claimed(principal.name), request.comment, principal=principal
        )
        return DecideApproval.Response()

    def _grant(self, request: AddGrant.Request) -> AddGrant.Response:
        seconds = seconds_of(request.valid_for)
        principal = principal_from_message(request.given_by)
        grant = Grant(
            tuple(request.tools),
            request.session_id or None,
            deadline=Deadline(seconds) if seconds else None,
            uses=request.uses or None,
            by=claimed(principal.name),
            principal=principal,
        )
        self._office.grant(grant)
        return AddGrant.Response(grant_id=uuid_message(grant.grant_id))

    def _revoke(self, request: RevokeGrant.Request) -> RevokeGrant.Response:
        self._office.enforcement.revoke(uuid_from_message(request.grant_id), claimed(request.revoked_by))
        return RevokeGrant.Response()


def _submit(loop: EventLoop, work: Callable[[Any], Any], request: Any) -> Future[Any]:
    return loop.submit(asyncio.to_thread(work, request))
