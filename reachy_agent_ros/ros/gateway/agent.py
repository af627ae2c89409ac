"""Approvals, grants, plans, personas, memory and recorded turns of the agent over ROS."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.msg import ApprovalList, GrantList, Plan, Turn
from reachy_agent_msgs.srv import (
    AddGrant,
    DecideApproval,
    ForgetMemory,
    ListPersonas,
    ListTurns,
    RevokeGrant,
    SearchMemory,
    SetPersona,
    SetPlanReview,
)

from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.models.decisions import (
    ApprovalsAnswer,
    DecisionRequest,
    GrantAnswer,
    GrantRequest,
    GrantsAnswer,
    PersonaRequest,
    PersonasAnswer,
    PlanAnswer,
    PlanReviewRequest,
)
from reachy_agent_ros.gateway.models.memory import ForgottenAnswer, MemoryAnswer, MemoryKind
from reachy_agent_ros.gateway.models.traces import TracesAnswer, TurnDetail, TurnSummary
from reachy_agent_ros.ros.gateway.node_calls import ERASING_LIMIT, ask
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, message_json, uuid_from_message, uuid_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.principal_messages import principal_message
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED


class RosDecisions:
    """Implements `gateway.models.decisions.Decisions`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        self._agent = watches.of(names.AGENT)
        self._shown: dict[str, Any] = {}
        self._callers: dict[str, ServiceCaller] = {}
        for kind, topic in ((ApprovalList, names.APPROVALS), (GrantList, names.GRANTS), (Plan, names.PLAN)):
            node.create_subscription(kind, topic, self._keeper(topic), LATCHED)
        for service, name in (
            (DecideApproval, names.DECIDE_APPROVAL),
            (AddGrant, names.ADD_GRANT),
            (RevokeGrant, names.REVOKE_GRANT),
            (SetPlanReview, names.SET_PLAN_REVIEW),
            (ListPersonas, names.LIST_PERSONAS),
            (SetPersona, names.SET_PERSONA),
        ):
            self._callers[name] = ServiceCaller(node, service, name, self._agent)

    async def approvals(self) -> ApprovalsAnswer:
        """Returns the pending approvals and the latest decisions."""
        return ApprovalsAnswer.model_validate(message_json(self._latest(names.APPROVALS)))

    async def decide(self, approval_id: uuid.UUID, request: DecisionRequest, decided_by: Principal) -> None:
        """Decides a pending approval."""
        message = DecideApproval.Request(
            approval_id=uuid_message(approval_id),
            approve=request.approve,
            whole_session=request.whole_session,
            valid_for=duration_message(request.valid_for),
            comment=request.comment,
            decided_by=principal_message(decided_by),
        )
        await self._ask(names.DECIDE_APPROVAL, message)

    async def grants(self) -> GrantsAnswer:
        """Returns the grants that have not expired."""
        given = GrantsAnswer.model_validate(message_json(self._latest(names.GRANTS)))
        now = time.time()  # the agent does not publish when a grant expires
        return GrantsAnswer(grants=[grant for grant in given.grants if not 0.0 < grant.expires <= now])

    async def grant(self, request: GrantRequest, given_by: Principal) -> GrantAnswer:
        """Adds a grant and returns its ID."""
        message = AddGrant.Request(
            tools=request.tools,
            session_id=request.session_id,
            valid_for=duration_message(request.valid_for),
            uses=request.uses,
            given_by=principal_message(given_by),
        )
        answer = await self._ask(names.ADD_GRANT, message)
        return GrantAnswer(grant_id=uuid_from_message(answer.grant_id))

    async def revoke(self, grant_id: uuid.UUID, revoked_by: str) -> None:
        """Revokes a grant."""
        message = RevokeGrant.Request(grant_id=uuid_message(grant_id), revoked_by=revoked_by)
        await self._ask(names.REVOKE_GRANT, message)

    async def plan(self) -> PlanAnswer:
        """Returns the most recently changed plan."""
        return PlanAnswer.model_validate(message_json(self._latest(names.PLAN)))

    async def review(self, request: PlanReviewRequest) -> None:
        """Sets the plan review mode."""
        await self._ask(names.SET_PLAN_REVIEW, SetPlanReview.Request(review=request.review))

    async def personas(self) -> PersonasAnswer:
        """Lists the personas."""
        answer = await self._ask(names.LIST_PERSONAS, ListPersonas.Request())
        return PersonasAnswer.model_validate(message_json(answer))

    async def become(self, request: PersonaRequest) -> None:
        """Activates a persona."""
        await self._ask(names.SET_PERSONA, SetPersona.Request(name=request.name))

    def _keeper(self, topic: str) -> Any:
        def keep(message: Any) -> None:
            self._shown[topic] = message

        return keep

    def _latest(self, topic: str) -> Any:
        """Returns the latest message of a topic. Raises an error if there is none or the agent is not running."""
        if not self._agent.alive:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{self._agent.name} is not running.")
        if topic not in self._shown:
            message = f"{self._agent.name} has not published {topic} yet. Repeat the request in a few seconds."
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
        return self._shown[topic]

    async def _ask(self, name: str, request: Any) -> Any:
        return await ask(self._callers[name], request)


class RosMemories:
    """Implements `gateway.models.memory.Memories`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        agent = watches.of(names.AGENT)
        self._search = ServiceCaller(node, SearchMemory, names.SEARCH_MEMORY, agent)
        self._forget = ServiceCaller(node, ForgetMemory, names.FORGET_MEMORY, agent)

    async def find(self, query: str, kinds: Sequence[MemoryKind], limit: int) -> MemoryAnswer:
        """Returns the memory entries that match a query, best first. Without a query, returns the newest entries."""
        request = SearchMemory.Request(query=query, kinds=list(kinds), limit=limit)
        return MemoryAnswer.model_validate(message_json(await ask(self._search, request)))

    async def forget(self, number: int) -> ForgottenAnswer:
        """Deletes a memory entry."""
        answer = await ask(self._forget, ForgetMemory.Request(id=number), ERASING_LIMIT)
        return ForgottenAnswer(forgotten=1, erased=answer.erased)


class RosTraces:
    """Implements `gateway.models.traces.Traces`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        self._turns = ServiceCaller(node, ListTurns, names.LIST_TURNS, watches.of(names.AGENT))

    async def latest(self, limit: int, session_id: str) -> TracesAnswer:
        """Lists the latest turns, newest first."""
        answer = await ask(self._turns, ListTurns.Request(limit=limit, session_id=session_id))
        return TracesAnswer(turns=[TurnSummary.model_validate(_turn_fields(turn)) for turn in answer.turns])

    async def find(self, turn_id: str) -> TurnDetail:
        """Returns the turn whose id begins with `turn_id`."""
        answer = await ask(self._turns, ListTurns.Request(turn_id=turn_id))
        return TurnDetail.model_validate(_turn_fields(answer.turns[0]))


def _turn_fields(turn: Turn) -> dict[str, Any]:
    fields = dict(message_json(turn))
    return fields if turn.ended else {**fields, "duration": None}
