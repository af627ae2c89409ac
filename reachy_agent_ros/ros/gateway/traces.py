"""Recorded turns, from the agent's own file."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.agent.traces.trace_store import TraceStore
from reachy_agent_ros.agent.traces.traced_turn import TracedTurn
from reachy_agent_ros.gateway.ports.traces import SpanRecord, TurnRecord


class FileTraces:
    """Implements `gateway.ports.traces.Traces`.

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


def _span(span: Span) -> SpanRecord:
    return SpanRecord(
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
