"""Memories and recorded turns, read from the agent's own files, which several processes may use."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from reachy_agent_ros.agent.memory.embedder import Vectors
from reachy_agent_ros.agent.memory.entry import ALL_KINDS, Entry, Kind
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.traces.trace import Span, SpanKind, TracedTurn
from reachy_agent_ros.agent.traces.trace_store import TraceStore
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.ports.mind import Forgetting, Remembered
from reachy_agent_ros.gateway.ports.state import SpanRecord, TurnRecord


class FileMemories:
    """Implements `gateway.ports.memories.Memories`.

    It searches by words only: the model that knows meanings would take 100 MB and a second of a node that must answer
    in milliseconds. Whoever asks the robot itself is answered by meaning too.

    Args:
        file: The memory's.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    async def find(self, query: str, kinds: Sequence[str], limit: int) -> Sequence[Remembered]:
        """What has a query's words, the best first; without a query all of it, the newest first."""
        return await asyncio.to_thread(self._find, query.strip(), [Kind(kind) for kind in kinds] or ALL_KINDS, limit)

    async def forget(self, number: int) -> Forgetting:
        """Forgets an entry so that it is gone from the disk."""
        return await asyncio.to_thread(self._forget, number)

    def _find(self, query: str, kinds: Sequence[Kind], limit: int) -> list[Remembered]:
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


class _NoEmbedder:
    def embed(self, texts: Sequence[str]) -> Vectors:
        raise AgentError(ErrorCode.INTERNAL, "The gateway knows no meanings.")


def _remembered(entry: Entry, score: float | None = None) -> Remembered:
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
