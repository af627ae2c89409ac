"""Services for people's decisions: approvals, grants, plan review and personas."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.srv import (
    AddGrant,
    DecideApproval,
    ListPersonas,
    RevokeGrant,
    SetPersona,
    SetPlanReview,
)

from reachy_agent_ros.agent.permissions.grants import Grant
from reachy_agent_ros.agent.planning.review import PlanReview
from reachy_agent_ros.agent.robot_agent import RobotAgent
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.answer import YesNoAnswer
from reachy_agent_ros.ros.agent.agent_messages import persona_message
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, uuid_from_message, uuid_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.principal_messages import claimed, principal_from_message
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService


class MindServices:
    """Service servers for people's decisions. Run on the agent's event loop, because most of them write to disk.

    Args:
        node: Node that serves the services.
        mind: Agent whose state is read and changed.
        loop: Event loop of the agent.
        changed: Called when the agent's state may have changed.
    """

    def __init__(self, node: Node, mind: RobotAgent, loop: EventLoop, changed: Callable[[], None]) -> None:
        self._mind = mind
        self._loop = loop
        self._changed = changed
        served: tuple[tuple[type, str, Callable[[Any], Any]], ...] = (
            (DecideApproval, names.DECIDE_APPROVAL, self._decide),
            (AddGrant, names.ADD_GRANT, self._grant),
            (RevokeGrant, names.REVOKE_GRANT, self._revoke),
            (SetPlanReview, names.SET_PLAN_REVIEW, self._review),
            (ListPersonas, names.LIST_PERSONAS, self._list_personas),
            (SetPersona, names.SET_PERSONA, self._become),
        )
        self._services = [SlowService(node, kind, name, self._on_loop(work)) for kind, name, work in served]

    def _on_loop(self, work: Callable[[Any], Any]) -> Callable[[Any], Future[Any]]:
        return lambda request: self._loop.submit(work(request))

    async def _decide(self, request: DecideApproval.Request) -> DecideApproval.Response:
        answer = YesNoAnswer(request.approve, request.whole_session, seconds_of(request.valid_for))
        approval_id = uuid_from_message(request.approval_id)
        principal = principal_from_message(request.decided_by)
        self._mind.office.enforcement.decide(
            approval_id, answer, claimed(principal.name), request.comment, principal=principal
        )
        return DecideApproval.Response()

    async def _grant(self, request: AddGrant.Request) -> AddGrant.Response:
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
        self._mind.office.enforcement.grant(grant)
        return AddGrant.Response(grant_id=uuid_message(grant.grant_id))

    async def _revoke(self, request: RevokeGrant.Request) -> RevokeGrant.Response:
        self._mind.office.enforcement.revoke(uuid_from_message(request.grant_id), claimed(request.revoked_by))
        return RevokeGrant.Response()

    async def _review(self, request: SetPlanReview.Request) -> SetPlanReview.Response:
        if request.review not in iter(PlanReview):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid plan review mode {request.review}.")
        self._mind.review = PlanReview(request.review)
        self._changed()
        return SetPlanReview.Response()

    async def _list_personas(self, _request: ListPersonas.Request) -> ListPersonas.Response:
        active = self._mind.persona.name
        listed = [one.persona for one in self._mind.personas.listed() if one.persona is not None]
        return ListPersonas.Response(personas=[persona_message(one, one.name == active) for one in listed])

    async def _become(self, request: SetPersona.Request) -> SetPersona.Response:
        await self._mind.become(request.name)
        self._changed()
        return SetPersona.Response()
