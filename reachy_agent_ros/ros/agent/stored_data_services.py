"""Services for stored data: conversations, memory and recorded turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.srv import (
    BranchSession,
    DeleteSession,
    ForgetMemory,
    GetHistory,
    ListSessions,
    ListTurns,
    ResumeSession,
    SearchMemory,
)

from reachy_agent_ros.agent.memory.entry import ALL_KINDS, EntryKind
from reachy_agent_ros.agent.memory.memory import MOST_RESULTS, Memory
from reachy_agent_ros.agent.memory.redaction import redacted
from reachy_agent_ros.agent.robot_agent import RobotAgent
from reachy_agent_ros.agent.sessions.history import HistoryEntry, history, last_agent
from reachy_agent_ros.agent.sessions.session import check_name
from reachy_agent_ros.agent.traces.trace_store import TraceStore
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.agent.spoken_turn_adapter import SpokenTurnAdapter
from reachy_agent_ros.ros.agent.stored_data_messages import (
    history_message,
    memory_message,
    session_message,
    turn_message,
)
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService

MOST_TURNS = 500
"""Maximum number of turns in one response."""

SESSIONS_PAGE = 1_000
"""Maximum number of conversations in one response."""

HISTORY_PAGE = 2_000
"""Maximum number of messages in one response. Many small pages would be slow: each reads the complete conversation."""

HISTORY_CHARACTERS = 2_000_000
"""Maximum number of characters in one response. A single longer message is still sent, alone."""

_LATEST_TURNS = 10
"""Number of recent turns that are searched for the agent that answered last."""

_TRACED_TURNS = 1_000
"""Number of recent turns of a conversation for which the history names the answering agent."""


class StoredDataServices:
    """Service servers for stored data. Requests run on the agent's event loop, and file access in threads.

    Args:
        node: Node that serves the services.
        agent: Agent with the conversations and the memory.
        traces: Store of recorded turns.
        loop: Event loop of the agent.
        spoken_turns: Spoken dialogue, which has a current conversation.
        changed: Called when the current conversation has changed.
    """

    def __init__(
        self,
        node: Node,
        agent: RobotAgent,
        traces: TraceStore,
        loop: EventLoop,
        spoken_turns: SpokenTurnAdapter,
        changed: Callable[[], None],
    ) -> None:
        self._agent = agent
        self._traces = traces
        self._loop = loop
        self._spoken_turns = spoken_turns
        self._changed = changed
        served: tuple[tuple[type, str, Callable[[Any], Coroutine[Any, Any, Any]]], ...] = (
            (ListSessions, names.LIST_SESSIONS, self._list_sessions),
            (GetHistory, names.GET_HISTORY, self._history),
            (ResumeSession, names.RESUME_SESSION, self._resume),
            (BranchSession, names.BRANCH_SESSION, self._branch),
            (DeleteSession, names.DELETE_SESSION, self._delete),
            (SearchMemory, names.SEARCH_MEMORY, _in_thread(self._search_memory)),
            (ForgetMemory, names.FORGET_MEMORY, _in_thread(self._forget_memory)),
            (ListTurns, names.LIST_TURNS, _in_thread(self._list_turns)),
        )
        self._services = [SlowService(node, kind, name, partial(self._submit, work)) for kind, name, work in served]

    def _submit(self, work: Callable[[Any], Coroutine[Any, Any, Any]], request: Any) -> Future[Any]:
        return self._loop.submit(work(request))

    async def _list_sessions(self, request: ListSessions.Request) -> ListSessions.Response:
        sessions = await self._agent.sessions.sessions()
        agent = ""
        if request.session_id:
            sessions = [session for session in sessions if session.session_id == request.session_id]
            if not sessions:
                raise AgentError(ErrorCode.NOT_FOUND, f"Unknown conversation {request.session_id!r:.100}.")
            turns = await asyncio.to_thread(self._traces.latest, _LATEST_TURNS, request.session_id)
            agent = last_agent(turns)
        page = sessions[request.offset : request.offset + SESSIONS_PAGE]
        return ListSessions.Response(
            sessions=[session_message(session, agent) for session in page],
            total=len(sessions),
            current=self._spoken_turns.session_id,
        )

    async def _history(self, request: GetHistory.Request) -> GetHistory.Response:
        items = await self._agent.sessions.dated_items(request.session_id)

        def answer() -> GetHistory.Response:
            turns = self._traces.latest(_TRACED_TURNS, request.session_id)
            entries = history(items, turns, redacted)
            page = history_page(entries, request.offset)
            return GetHistory.Response(messages=[history_message(entry) for entry in page], total=len(entries))

        return await asyncio.to_thread(answer)

    async def _resume(self, request: ResumeSession.Request) -> ResumeSession.Response:
        check_name(request.session_id)
        self._spoken_turns.session_id = request.session_id
        self._changed()
        return ResumeSession.Response()

    async def _branch(self, request: BranchSession.Request) -> BranchSession.Response:
        await self._agent.sessions.branch(request.session_id, request.branch_id, request.turns)
        return BranchSession.Response()

    async def _delete(self, request: DeleteSession.Request) -> DeleteSession.Response:
        return DeleteSession.Response(erased=await self._agent.delete_conversation(request.session_id))

    def _search_memory(self, request: SearchMemory.Request) -> SearchMemory.Response:
        _check_limit(request.limit, MOST_RESULTS)
        kinds = [_kind(name) for name in request.kinds] or ALL_KINDS
        query = request.query.strip()
        if query:
            found = self._memory().recall_words(query, kinds, request.limit)
            return SearchMemory.Response(entries=[memory_message(entry, score) for entry, score in found])
        entries = self._memory().entries(kinds, request.limit)
        return SearchMemory.Response(entries=[memory_message(entry) for entry in entries])

    def _forget_memory(self, request: ForgetMemory.Request) -> ForgetMemory.Response:
        gone = self._memory().forget([request.id])
        if not gone.count:
            raise AgentError(ErrorCode.NOT_FOUND, f"Unknown memory entry {request.id}.")
        self._agent.undo.journal.forget(EntryKind.FACT)  # which may contain earlier values of the fact
        return ForgetMemory.Response(erased=gone.erased)

    def _list_turns(self, request: ListTurns.Request) -> ListTurns.Response:
        if request.turn_id:
            return ListTurns.Response(turns=[turn_message(self._traces.find(request.turn_id), with_spans=True)])
        _check_limit(request.limit, MOST_TURNS)
        turns = self._traces.latest(request.limit, request.session_id or None)
        return ListTurns.Response(turns=[turn_message(turn) for turn in reversed(turns)])

    def _memory(self) -> Memory:
        if self._agent.recollection is None:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, "Memory is not available: the sentence embedder is missing.")
        return self._agent.recollection.memory()


def history_page(entries: Sequence[HistoryEntry], offset: int) -> list[HistoryEntry]:
    """Returns as many history entries, from an offset on, as fit into one response. Returns at least one of them."""
    page: list[HistoryEntry] = []
    characters = 0
    for entry in entries[offset : offset + HISTORY_PAGE]:
        characters += len(entry.content)
        if page and characters > HISTORY_CHARACTERS:
            break
        page.append(entry)
    return page


def _in_thread(work: Callable[[Any], Any]) -> Callable[[Any], Coroutine[Any, Any, Any]]:
    return lambda request: asyncio.to_thread(work, request)


def _kind(name: str) -> EntryKind:
    try:
        return EntryKind(name)
    except ValueError:
        known = ", ".join(ALL_KINDS)
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid kind {name!r:.60}: expected one of {known}.") from None


def _check_limit(limit: int, most: int) -> None:
    if not 1 <= limit <= most:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid limit {limit}: expected 1 to {most}.")
