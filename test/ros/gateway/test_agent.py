import asyncio
import time
import uuid
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.agent.memory.embedder import DIMENSIONS, Vectors
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.agent.traces.trace_store import SpanRecord, TraceRetention, TraceStore
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.gateway.agent import FileMemories, FileTraces

SPANS = (
    Span(1, SpanKind.HEARING, "typed", 0.0, summary="dance"),
    Span(2, SpanKind.REFLEX, "reflex", 0.0, 0.1, summary="defer"),
    Span(3, SpanKind.MODEL, "coordinator", 0.1, 0.4, input_tokens=800, output_tokens=20),
    Span(4, SpanKind.TOOL, "dance", 0.6, 0.3, '{"name": "jig"}', error=AgentError(ErrorCode.TIMEOUT, "Too slow.")),
    Span(0, SpanKind.TURN, "typed", 0.0, 1.0, summary="I tried.", error=AgentError(ErrorCode.TIMEOUT, "Too slow.")),
)


class AnyMeaning:
    """Who searches by words has no use for meanings."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), DIMENSIONS), DIMENSIONS**-0.5, np.float32)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with closing(Memory(path, AnyMeaning())) as memory:
        memory.remember(
            MemoryEntry(EntryKind.FACT, "green", "favourite colour", "the person", 1000.0),
            MemoryEntry(EntryKind.FACT, "Paris", "home town", "the person", 1001.0),
            MemoryEntry(
                EntryKind.EPISODE, "Danced for Maria.", source="a task", created=1002.0, participants=("Maria",)
            ),
            MemoryEntry(EntryKind.NOTE, "Water the plants.", "plants.md", "plants.md, line 1", 1003.0),
        )
    return path


def test_without_a_query_the_newest_come_first(file: Path) -> None:
    found = asyncio.run(FileMemories(file).find("  ", (), 3))
    assert [entry.text for entry in found] == ["Water the plants.", "Danced for Maria.", "Paris"]
    assert (found[1].kind, found[1].participants, found[1].score) == ("episode", ("Maria",), None)


def test_words_are_found_in_the_kinds_that_are_asked_for(file: Path) -> None:
    memories = FileMemories(file)
    (found,) = asyncio.run(memories.find("what colour does he like?", (), 10))
    assert (found.text, found.key) == ("green", "favourite colour")
    assert found.score is not None
    assert 0.0 < found.score <= 1.0
    assert asyncio.run(memories.find("colour", ["episode", "note"], 10)) == []


def test_what_is_forgotten_is_gone_from_the_disk(file: Path) -> None:
    memories = FileMemories(file)
    (found,) = asyncio.run(memories.find("Maria", (), 10))
    gone = asyncio.run(memories.forget(found.id))
    assert (gone.forgotten, gone.erased) == (1, True)
    assert not any(b"Maria" in each.read_bytes() for each in file.parent.iterdir())
    with pytest.raises(AgentError) as unknown:
        asyncio.run(memories.forget(found.id))
    assert unknown.value.code is ErrorCode.NOT_FOUND


def test_a_passage_of_a_file_is_not_forgotten_alone(file: Path) -> None:
    memories = FileMemories(file)
    (note,) = asyncio.run(memories.find("plants", ["note"], 10))
    with pytest.raises(AgentError, match=r"plants\.md") as refused:
        asyncio.run(memories.forget(note.id))
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS


def added(store: TraceStore, session_id: str, ago: float) -> uuid.UUID:
    turn_id, began = uuid.uuid4(), time.time() - ago
    records = [SpanRecord(turn_id, session_id, began + span.start + span.duration, span) for span in SPANS]
    store.add(records, {}, TraceRetention())
    return turn_id


@pytest.fixture
def store(tmp_path: Path) -> TraceStore:
    return TraceStore(tmp_path / "traces.db")


def test_a_turn_is_told_as_a_whole_and_in_steps(store: TraceStore) -> None:
    turn_id = added(store, "default", 10.0)
    turn = asyncio.run(FileTraces(store).find(str(turn_id)[:8]))
    assert (turn.turn_id, turn.heard, turn.reply, turn.agent) == (str(turn_id), "dance", "I tried.", "coordinator")
    assert (turn.duration, turn.input_tokens, turn.output_tokens, list(turn.tools)) == (1.0, 800, 20, ["dance"])
    assert (turn.error_code, turn.error_msg) == (ErrorCode.TIMEOUT, "Too slow.")
    assert [span.kind for span in turn.spans] == [0, 1, 2, 3, 4]
    assert (turn.spans[-1].arguments_json, turn.spans[-1].error_code) == ('{"name": "jig"}', ErrorCode.TIMEOUT)


def test_the_newest_turns_come_first_and_of_the_conversation_that_is_named(store: TraceStore) -> None:
    old, other, new = added(store, "a", 30.0), added(store, "b", 20.0), added(store, "a", 10.0)
    traces = FileTraces(store)
    assert [turn.turn_id for turn in asyncio.run(traces.latest(2, ""))] == [str(new), str(other)]
    assert [turn.turn_id for turn in asyncio.run(traces.latest(5, "a"))] == [str(new), str(old)]
    assert not asyncio.run(traces.latest(5, "a"))[0].spans


def test_a_turn_that_is_not_there_is_not_found(store: TraceStore) -> None:
    with pytest.raises(AgentError) as unknown:
        asyncio.run(FileTraces(store).find("0000"))
    assert unknown.value.code is ErrorCode.NOT_FOUND
