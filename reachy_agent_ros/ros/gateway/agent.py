"""The agent behind the gateway: decisions over ROS, and memories and recorded turns from its files."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.msg import ApprovalList, GrantList, Plan
from reachy_agent_msgs.srv import (
    AddGrant,
    DecideApproval,
    ListPersonas,
    RevokeGrant,
    SetPersona,
    SetPlanReview,
)

from reachy_agent_ros.agent.memory.embedder import Vectors
from reachy_agent_ros.agent.memory.entry import ALL_KINDS, EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.agent.traces.trace import Span, SpanKind, TracedTurn
from reachy_agent_ros.agent.traces.trace_store import TraceStore
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.ports.agent import Fields, Forgetting, Remembered
from reachy_agent_ros.gateway.ports.state import TracedSpan, TurnRecord
from reachy_agent_ros.ros.gateway.node_calls import ask
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, message_json, uuid_from_message, uuid_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.principal_messages import principal_message
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED


class RosDecisions:
    """Implements `gateway.ports.agent.Decisions`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
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

    async def approvals(self) -> Sequence[Fields]:
        """All that waits for a person's yes or no, oldest first."""
        return [message_json(each) for each in self._latest(names.APPROVALS).approvals]

    async def decided(self) -> Sequence[Fields]:
        """The last answers since the agent began, newest first."""
        return [message_json(each) for each in self._latest(names.APPROVALS).decided]

    async def decide(
        self,
        approval_id: uuid.UUID,
        *,
        approve: bool,
        whole_session: bool,
        valid_for: float,
        comment: str,
        decided_by: Principal,
    ) -> None:
        """Answers what waits."""
        request = DecideApproval.Request(
            approval_id=uuid_message(approval_id),
            approve=approve,
            whole_session=whole_session,
            valid_for=duration_message(valid_for),
            comment=comment,
            decided_by=principal_message(decided_by),
        )
        await self._ask(names.DECIDE_APPROVAL, request)

    async def grants(self) -> Sequence[Fields]:
        """Leave that a person gave beforehand and that still holds, oldest first."""
        granted = [message_json(each) for each in self._latest(names.GRANTS).grants]
        return [grant for grant in granted if not 0.0 < grant["expires"] <= time.time()]  # nobody tells that time is up

    async def grant(
        self, tools: Sequence[str], *, session_id: str, valid_for: float, uses: int, given_by: Principal
    ) -> uuid.UUID:
        """Gives leave, and returns its name."""
        request = AddGrant.Request(
            tools=list(tools),
            session_id=session_id,
            valid_for=duration_message(valid_for),
            uses=uses,
            given_by=principal_message(given_by),
        )
        return uuid_from_message((await self._ask(names.ADD_GRANT, request)).grant_id)

    async def revoke(self, grant_id: uuid.UUID, revoked_by: str) -> None:
        """Ends a leave."""
        request = RevokeGrant.Request(grant_id=uuid_message(grant_id), revoked_by=revoked_by)
        await self._ask(names.REVOKE_GRANT, request)

    async def plan(self) -> Fields:
        """The plan that changed last."""
        return message_json(self._latest(names.PLAN))

    async def review(self, review: int) -> None:
        """Says what of a plan a person approves."""
        await self._ask(names.SET_PLAN_REVIEW, SetPlanReview.Request(review=review))

    async def personas(self) -> Sequence[Fields]:
        """Who the robot can be, by name."""
        answer = await self._ask(names.LIST_PERSONAS, ListPersonas.Request())
        return [message_json(each) for each in answer.personas]

    async def become(self, name: str) -> None:
        """Makes the robot another persona."""
        await self._ask(names.SET_PERSONA, SetPersona.Request(name=name))

    def _keeper(self, topic: str) -> Any:
        def keep(message: Any) -> None:
            self._shown[topic] = message

        return keep

    def _latest(self, topic: str) -> Any:
        """What the agent showed last: what it showed before it died holds no more."""
        if topic not in self._shown or not self._agent.alive:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{self._agent.name} is not running.")
        return self._shown[topic]

    async def _ask(self, name: str, request: Any) -> Any:
        return await ask(self._callers[name], request)


class FileMemories:
    """Implements `gateway.ports.agent.Memories`.

    It searches by words only: the model that knows meanings would take 100 MB and a second of a node that must answer
    in milliseconds. Whoever asks the robot itself is answered by meaning too.

    Args:
        file: The memory's.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    async def find(self, query: str, kinds: Sequence[str], limit: int) -> Sequence[Remembered]:
        """What has a query's words, the best first; without a query all of it, the newest first."""
        return await asyncio.to_thread(
            self._find, query.strip(), [EntryKind(kind) for kind in kinds] or ALL_KINDS, limit
        )

    async def forget(self, number: int) -> Forgetting:
        """Forgets an entry so that it is gone from the disk."""
        return await asyncio.to_thread(self._forget, number)

    def _find(self, query: str, kinds: Sequence[EntryKind], limit: int) -> list[Remembered]:
        with self._memory() as memory:
            if query:
                return [_remembered(entry, score) for entry, score in memory.recall_words(query, kinds, limit)]
            return [_remembered(entry) for entry in memory.entries(kinds, limit)]

    def _forget(self, number: int) -> Forgetting:
        with self._memory() as memory:
            gone = memory.forget([number])
        if not gone.count:
            raise AgentError(ErrorCode.NOT_FOUND, f"There is no memory of the number {number}.")
        return Forgetting(gone.count, gone.erased)

    @contextmanager
    def _memory(self) -> Iterator[Memory]:
        with closing(Memory(self._file, _NoEmbedder())) as memory:
            yield memory


class FileTraces:
    """Implements `gateway.ports.state.Traces`.

    Args:
        store: Of the turns.
    """

    def __init__(self, store: TraceStore) -> None:
        self._store = store

    async def latest(self, limit: int, session_id: str) -> Sequence[TurnRecord]:
        """The latest turns, newest first; of one conversation where it is named."""
        turns = await asyncio.to_thread(self._store.latest, limit, session_id or None)
        return [_record(turn) for turn in reversed(turns)]

    async def find(self, turn_id: str) -> TurnRecord:
        """The turn whose id begins so."""
        turn = await asyncio.to_thread(self._store.find, turn_id)
        return replace(_record(turn), spans=tuple(map(_span, turn.spans)))


class _NoEmbedder:
    def embed(self, texts: Sequence[str]) -> Vectors:
        raise AgentError(ErrorCode.INTERNAL, "The gateway knows no meanings.")


def _remembered(entry: MemoryEntry, score: float | None = None) -> Remembered:
    return Remembered(
        id=entry.identity or 0,
        kind=entry.kind.value,
        key=entry.key,
        text=entry.text,
        source=entry.source,
        created=entry.created,
        participants=entry.participants,
        score=score,
    )


def _record(turn: TracedTurn) -> TurnRecord:
    read, written = turn.tokens
    return TurnRecord(
        turn_id=str(turn.turn_id),
        session_id=turn.session_id,
        began=turn.began,
        heard=turn.heard,
        reply=turn.whole.summary if turn.whole else "",
        agent=turn.agent,
        duration=turn.whole.duration if turn.whole else None,
        input_tokens=read,
        output_tokens=written,
        tools=[span.name for span in turn.spans if span.kind is SpanKind.TOOL],
        error_code=int(turn.error.code) if turn.error else 0,
        error_msg=turn.error.message if turn.error else "",
        lost=turn.lost,
    )


def _span(span: Span) -> TracedSpan:
    return TracedSpan(
        span=span.number,
        parent=0,
        kind=int(span.kind),
        name=span.name,
        start=span.start,
        duration=span.duration,
        input_tokens=span.input_tokens,
        output_tokens=span.output_tokens,
        arguments_json=span.arguments_json,
        summary=span.summary,
        error_code=int(span.error.code) if span.error else 0,
        error_msg=span.error.message if span.error else "",
    )
