"""Messages of stored data: conversations, memory entries and recorded turns."""

from __future__ import annotations

import math
import uuid

from reachy_agent_msgs.msg import HistoryMessage, Turn, TurnTrace
from reachy_agent_msgs.msg import MemoryEntry as MemoryEntryMessage
from reachy_agent_msgs.msg import Session as SessionMessage
from std_msgs.msg import Header

from reachy_agent_ros.agent.memory.entry import MemoryEntry
from reachy_agent_ros.agent.sessions.history import HistoryEntry
from reachy_agent_ros.agent.sessions.session import Session
from reachy_agent_ros.agent.traces.trace import Span, SpanKind, TracedTurn
from reachy_agent_ros.core.sanitised_text import well_formed
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, stamp_message, uuid_message


def session_message(session: Session, agent: str = "") -> SessionMessage:
    """Returns the message for a conversation, which includes the name of the agent that answered last."""
    return SessionMessage(
        session_id=session.session_id,
        began=stamp_message(session.began),
        changed=stamp_message(session.changed),
        turns=session.turns,
        beginning=session.beginning,
        branched_from=session.branched_from,
        agent=agent,
    )


def history_message(entry: HistoryEntry) -> HistoryMessage:
    """Returns the message for an item of a conversation."""
    return HistoryMessage(
        role=entry.role, content=well_formed(entry.content), kept=stamp_message(entry.kept), agent=entry.agent
    )


def memory_message(entry: MemoryEntry, score: float = math.nan) -> MemoryEntryMessage:
    """Returns the message for a memory entry, with its score for a query (0 to 1), or NaN if there is no query."""
    return MemoryEntryMessage(
        id=entry.identity or 0,
        kind=entry.kind.value,
        key=entry.key,
        text=entry.text,
        source=entry.source,
        created=stamp_message(entry.created),
        participants=list(entry.participants),
        score=score,
    )


def turn_message(turn: TracedTurn, with_spans: bool = False) -> Turn:
    """Returns the message for a recorded turn."""
    read, written = turn.tokens
    message = Turn(
        turn_id=uuid_message(turn.turn_id),
        session_id=turn.session_id,
        began=stamp_message(turn.began),
        heard=turn.heard,
        agent=turn.agent,
        input_tokens=read,
        output_tokens=written,
        tools=[span.name for span in turn.spans if span.kind is SpanKind.TOOL],
        lost=turn.lost,
    )
    if turn.whole is not None:
        message.ended = True
        message.reply, message.duration = turn.whole.summary, duration_message(turn.whole.duration)
    if turn.error is not None:
        message.error_code, message.error_msg = int(turn.error.code), turn.error.message
    if with_spans:
        message.spans = [_recorded_span(turn, span) for span in turn.spans]
    return message


def span_message(header: Header, turn_id: uuid.UUID, session_id: str, span: Span) -> TurnTrace:
    """Returns the message for a span that has ended.

    Args:
        header: Header with the time of the span's end.
        turn_id: Turn of the span.
        session_id: Conversation of the turn.
        span: Span.
    """
    return TurnTrace(
        header=header,
        turn_id=uuid_message(turn_id),
        session_id=session_id,
        span=span.number,
        parent=0,
        kind=int(span.kind),
        name=span.name,
        start=duration_message(span.start),
        duration=duration_message(span.duration),
        input_tokens=span.input_tokens,
        output_tokens=span.output_tokens,
        arguments_json=span.arguments_json,
        summary=span.summary,
        error_code=int(span.error.code) if span.error else 0,
        error_msg=span.error.message if span.error else "",
    )


def _recorded_span(turn: TracedTurn, span: Span) -> TurnTrace:
    ended = Header(stamp=stamp_message(turn.began + span.start + span.duration))
    return span_message(ended, turn.turn_id, turn.session_id, span)
