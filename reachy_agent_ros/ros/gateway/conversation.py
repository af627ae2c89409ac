"""Conversation over ROS: turns through `converse`, what was said from the agent's own file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path

from rclpy.node import Node
from reachy_agent_msgs.action import Converse
from reachy_agent_msgs.srv import ResumeSession

from reachy_agent_ros.agent.memory.redaction import redacted
from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.agent.sessions.forgetting import forget_conversation
from reachy_agent_ros.agent.sessions.session import Item, Session, told
from reachy_agent_ros.agent.sessions.session_store import FILE_NAME as SESSIONS_FILE
from reachy_agent_ros.agent.sessions.session_store import SessionStore
from reachy_agent_ros.agent.traces.trace import TracedTurn
from reachy_agent_ros.agent.traces.trace_store import TraceStore
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.ports.agent import Said, SessionSummary, StepKind, TurnEvent, TurnOutcome
from reachy_agent_ros.ros.agent.agent_messages import QUEUE
from reachy_agent_ros.ros.gateway.node_calls import ask
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import LongCalls
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.principal_messages import principal_message

LONGEST_TURN = 3600.0
"""s; the agent's own limit is far shorter, and this one holds if it fails."""

TURNS = 32
"""At once, of which all but one wait in the agent's line or for a person."""

_LATEST_TURNS = 10
"""Of a conversation, among which the one is looked for that somebody answered."""

_TRACED_TURNS = 1_000
"""Latest turns of a conversation of which is told who answered."""

_KINDS = {
    Converse.Feedback.TOKEN: StepKind.TOKEN,
    Converse.Feedback.TOOL_STARTED: StepKind.TOOL_STARTED,
    Converse.Feedback.TOOL_ENDED: StepKind.TOOL_ENDED,
    Converse.Feedback.HANDOFF: StepKind.HANDOFF,
    Converse.Feedback.WAITING: StepKind.WAITING,
}

PERSON = "user"


class RosConversation:
    """Implements `gateway.ports.agent.Conversation`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
        directory: State directory of the agent.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches, directory: Path) -> None:
        agent = watches.of(names.AGENT)
        self._turns = ActionCaller(node, Converse, names.CONVERSE, agent)
        self._resume = ServiceCaller(node, ResumeSession, names.RESUME_SESSION, agent)
        self._running = LongCalls("turns", TURNS)
        self._directory = directory
        self._traces = TraceStore()

    async def converse(
        self,
        text: str,
        session_id: str,
        watch: Callable[[TurnEvent], None],
        *,
        speak: bool,
        allowance: float,
        asked_by: Principal,
    ) -> TurnOutcome:
        """One turn, to its end; cancelling it cancels the turn."""
        loop = asyncio.get_running_loop()

        def hear(feedback: Converse.Feedback) -> None:  # in the executor's thread
            loop.call_soon_threadsafe(watch, _step(feedback))

        goal = Converse.Goal(
            text=text,
            session_id=session_id,
            source=Converse.Goal.REMOTE,
            speak=speak,
            wait=True,
            time_allowance=duration_message(allowance),
            asked_by=principal_message(asked_by),
        )
        result = await self._running.run(lambda token: self._turns.ask(goal, allowance or LONGEST_TURN, token, hear))
        return _answer(result)

    async def sessions(self) -> Sequence[SessionSummary]:
        """All of them, the one that changed last first; who answered last is left out."""
        with closing(SessionStore(self._directory / SESSIONS_FILE)) as store:
            return [_summary(session) for session in await store.sessions()]

    async def session(self, session_id: str) -> SessionSummary:
        """What is known of a conversation."""
        with closing(SessionStore(self._directory / SESSIONS_FILE)) as store:
            found = next((each for each in await store.sessions() if each.session_id == session_id), None)
        if found is None:
            raise AgentError(ErrorCode.NOT_FOUND, f"There is no conversation {session_id!r:.100}.")
        answered = await asyncio.to_thread(self._traces.latest, _LATEST_TURNS, session_id)
        return _summary(found, next((turn.agent for turn in reversed(answered) if turn.agent), ""))

    async def history(self, session_id: str) -> Sequence[Said]:
        """All that was said in it, oldest first."""
        with closing(SessionStore(self._directory / SESSIONS_FILE)) as store:
            items = await store.dated_items(session_id)
        return said(items, await asyncio.to_thread(self._traces.latest, _TRACED_TURNS, session_id))

    async def resume(self, session_id: str) -> None:
        """Makes it the one that spoken sentences belong to."""
        await ask(self._resume, ResumeSession.Request(session_id=session_id))

    async def delete(self, session_id: str) -> bool:
        """Deletes a conversation and its plan."""
        return await forget_conversation(self._directory, session_id)


def said(items: Iterable[tuple[Item, float]], turns: Sequence[TracedTurn]) -> list[Said]:
    """Items in words.

    A conversation's file does not hold who answered: that is what the turn's trace tells, which has the same first
    sentence and ended when the items were kept.

    Args:
        items: Of a conversation, oldest first, with the times when they were kept, s since the epoch.
        turns: Recorded turns of the conversation.
    """
    by_sentence: dict[str, list[TracedTurn]] = {}
    for turn in turns:
        by_sentence.setdefault(turn.heard, []).append(turn)
    agent = ""
    messages = []
    for item, kept in items:
        role, text = told(item)
        if role == PERSON:
            agent = _nearest(by_sentence.get(redacted(text), ()), kept)
        if text:
            messages.append(Said(role, text, kept or None, "" if role == PERSON else agent))
    return messages


def _summary(session: Session, agent: str = "") -> SessionSummary:
    return SessionSummary(
        session_id=session.session_id,
        created_at=session.began,
        changed_at=session.changed,
        turns=session.turns,
        active_agent=agent,
        beginning=session.beginning,
        branched_from=session.branched_from,
    )


def _step(feedback: Converse.Feedback) -> TurnEvent:
    if feedback.kind == Converse.Feedback.WAITING and feedback.name == QUEUE:
        return TurnEvent(StepKind.QUEUED, feedback.text)
    return TurnEvent(_KINDS[feedback.kind], feedback.text, feedback.name, feedback.arguments_json)


def _answer(result: Converse.Result) -> TurnOutcome:
    return TurnOutcome(
        turn_id=str(uuid_from_message(result.turn_id)),
        session_id=result.session_id,
        reply=result.reply,
        agent=result.agent,
        tools_called=list(result.tools_called),
        elapsed=seconds_of(result.elapsed),
        input_tokens=result.input_tokens,
        output_tokens=result.output_tokens,
    )


def _nearest(turns: Iterable[TracedTurn], kept: float) -> str:
    turn = min(turns, key=lambda turn: abs(turn.began + turn.end - kept), default=None)
    return "" if turn is None else turn.agent
