"""Conversations over ROS. Turns use the action `converse`. Sessions and their history use services."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable

from rclpy.node import Node
from reachy_agent_msgs.action import Converse
from reachy_agent_msgs.msg import HistoryMessage, Session
from reachy_agent_msgs.srv import DeleteSession, GetHistory, ListSessions, ResumeSession

from reachy_agent_ros.agent.conversation.turn import QUEUE, QUEUE_TIME
from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.core import names
from reachy_agent_ros.gateway.models.conversation import (
    ChatAnswer,
    ChatRequest,
    DeletedAnswer,
    HistoryAnswer,
    SessionAnswer,
    SessionsAnswer,
    StepKind,
    TranscriptMessage,
    TurnEvent,
)
from reachy_agent_ros.ros.gateway.node_calls import ERASING_LIMIT, ask
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import LongCalls
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.principal_messages import principal_message

LONGEST_TURN = 3600.0
"""Time limit of a turn without a time allowance, s, in case the agent's own, by default shorter limit fails."""

TURNS = 32
"""Maximum number of concurrent turns. All but one wait in the agent's queue or for a person."""

_KINDS = {
    Converse.Feedback.TOKEN: StepKind.TOKEN,
    Converse.Feedback.TOOL_STARTED: StepKind.TOOL_STARTED,
    Converse.Feedback.TOOL_ENDED: StepKind.TOOL_ENDED,
    Converse.Feedback.HANDOFF: StepKind.HANDOFF,
    Converse.Feedback.WAITING: StepKind.WAITING,
}


class RosConversation:
    """Implements `gateway.models.conversation.ConversationService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        agent = watches.of(names.AGENT)
        self._turns = ActionCaller(node, Converse, names.CONVERSE, agent)
        self._sessions = ServiceCaller(node, ListSessions, names.LIST_SESSIONS, agent)
        self._history = ServiceCaller(node, GetHistory, names.GET_HISTORY, agent)
        self._resume = ServiceCaller(node, ResumeSession, names.RESUME_SESSION, agent)
        self._delete = ServiceCaller(node, DeleteSession, names.DELETE_SESSION, agent)
        self._running = LongCalls("turns", TURNS)

    async def converse(
        self, request: ChatRequest, watch: Callable[[TurnEvent], None], asked_by: Principal
    ) -> ChatAnswer:
        """Runs one turn to its end. Cancelling the coroutine cancels the turn."""
        loop = asyncio.get_running_loop()
        turn_id = uuid.uuid4()

        def hear(feedback: Converse.Feedback) -> None:  # in the executor's thread
            loop.call_soon_threadsafe(watch, _step(feedback, turn_id))

        goal = Converse.Goal(
            text=request.message,
            session_id=request.session_id,
            source=Converse.Goal.REMOTE,
            speak=request.speak,
            wait=True,
            time_allowance=duration_message(request.time_allowance),
            asked_by=principal_message(asked_by),
        )
        limit = (request.time_allowance or LONGEST_TURN) + QUEUE_TIME
        return _chat_answer(await self._running.run(lambda token: self._turns.ask(goal, limit, token, hear, turn_id)))

    async def sessions(self) -> SessionsAnswer:
        """Lists all conversations, the most recently changed first."""
        found: dict[
            str, SessionAnswer
        ] = {}  # by ID: a conversation that changes in between moves others to the next page
        received = 0
        while True:
            page = await ask(self._sessions, ListSessions.Request(offset=received))
            found |= {session.session_id: _session_answer(session) for session in page.sessions}
            received += len(page.sessions)
            if not page.sessions or received >= page.total:
                return SessionsAnswer(sessions=list(found.values()))

    async def session(self, session_id: str) -> SessionAnswer:
        """Returns a conversation with the agent that answered last."""
        answer = await ask(self._sessions, ListSessions.Request(session_id=session_id))
        return _session_answer(answer.sessions[0])

    async def history(self, session_id: str) -> HistoryAnswer:
        """Returns the messages of a conversation, oldest first."""
        messages: list[TranscriptMessage] = []
        while True:
            page = await ask(self._history, GetHistory.Request(session_id=session_id, offset=len(messages)))
            messages += map(_transcript_message, page.messages)
            if not page.messages or len(messages) >= page.total:
                return HistoryAnswer(messages=messages)

    async def resume(self, session_id: str) -> None:
        """Selects the conversation for spoken sentences."""
        await ask(self._resume, ResumeSession.Request(session_id=session_id))

    async def delete(self, session_id: str) -> DeletedAnswer:
        """Deletes a conversation and its plan."""
        answer = await ask(self._delete, DeleteSession.Request(session_id=session_id), ERASING_LIMIT)
        return DeletedAnswer(session_id=session_id, erased=answer.erased)


def _step(feedback: Converse.Feedback, turn_id: uuid.UUID) -> TurnEvent:
    if feedback.kind == Converse.Feedback.WAITING and feedback.name == QUEUE:
        return TurnEvent(kind=StepKind.QUEUED, text=feedback.text, turn_id=str(turn_id))
    return TurnEvent(
        kind=_KINDS[feedback.kind],
        text=feedback.text,
        name=feedback.name,
        arguments=feedback.arguments_json,
        turn_id=str(turn_id),
    )


def _chat_answer(result: Converse.Result) -> ChatAnswer:
    return ChatAnswer(
        response=result.reply,
        session_id=result.session_id,
        agent_used=result.agent,
        tools_called=list(result.tools_called),
        trace_id=str(uuid_from_message(result.turn_id)),
        elapsed=seconds_of(result.elapsed),
        input_tokens=result.input_tokens,
        output_tokens=result.output_tokens,
    )


def _session_answer(session: Session) -> SessionAnswer:
    return SessionAnswer(
        session_id=session.session_id,
        created_at=seconds_of(session.began),
        changed_at=seconds_of(session.changed),
        message_count=session.turns,
        active_agent=session.agent,
        beginning=session.beginning,
        branched_from=session.branched_from,
    )


def _transcript_message(message: HistoryMessage) -> TranscriptMessage:
    kept = seconds_of(message.kept) or None
    return TranscriptMessage(role=message.role, content=message.content, timestamp=kept, agent=message.agent)
