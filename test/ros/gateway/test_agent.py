"""The gateway's adapters for memory, traces and conversations, with an agent that has stored data."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.agent.memory.embedder import DIMENSIONS, Vectors
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.memory import FILE_NAME, Memory
from reachy_agent_ros.agent.sessions.session_store import FILE_NAME as SESSIONS_FILE
from reachy_agent_ros.agent.sessions.session_table import FORMAT, SessionTable
from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.agent.traces.trace_store import SpanRecord, TraceRetention, TraceStore
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.models.memory import MemoryAnswer
from reachy_agent_ros.ros.agent.stored_data_services import HISTORY_PAGE, SESSIONS_PAGE
from reachy_agent_ros.ros.gateway.agent import RosMemories, RosTraces
from reachy_agent_ros.ros.gateway.conversation import RosConversation
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.storage.database import Database
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import wait_until

SPANS = (
    Span(1, SpanKind.HEARING, "typed", 0.0, summary="dance"),
    Span(2, SpanKind.REFLEX, "reflex", 0.0, 0.1, summary="defer"),
    Span(3, SpanKind.MODEL, "coordinator", 0.1, 0.4, input_tokens=800, output_tokens=20),
    Span(4, SpanKind.TOOL, "dance", 0.6, 0.3, '{"name": "jig"}', error=AgentError(ErrorCode.TIMEOUT, "Too slow.")),
    Span(0, SpanKind.TURN, "typed", 0.0, 1.0, summary="I tried.", error=AgentError(ErrorCode.TIMEOUT, "Too slow.")),
)


SENTENCES = HISTORY_PAGE + 100
"""Number of messages in a conversation whose history has two pages."""

SESSIONS = SESSIONS_PAGE + 10
"""Number of additional conversations, whose list has two pages."""


class AnyMeaning:
    """Embedder stub that returns constant vectors, because keyword search needs no embeddings."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), DIMENSIONS), DIMENSIONS**-0.5, np.float32)


@dataclass
class Adapters:
    """Adapters through which the gateway reads the agent's data.

    Attributes:
        directory: Folder of the agent's files.
        memories: Adapter for the memory.
        traces: Adapter for the recorded turns.
        conversation: Adapter for the conversations.
        store: Store of the recorded turns, for direct access.
    """

    directory: Path
    memories: RosMemories
    traces: RosTraces
    conversation: RosConversation
    store: TraceStore

    def find(self, query: str, kinds: Sequence[str] = (), limit: int = 10) -> MemoryAnswer:
        return asyncio.run(self.memories.find(query, kinds, limit))


def keep_conversations(file: Path) -> None:
    with closing(Database(file, FORMAT)) as database, database.writing() as connection:
        table = SessionTable(connection)
        table.add("long", [{"role": "user", "content": f"Sentence {number}."} for number in range(SENTENCES)])
        table.add("half a character", [{"role": "user", "content": "half \ud800 of it"}])
        for number in range(SESSIONS):
            table.add(str(number), [{"role": "user", "content": "look left"}])


@pytest.fixture(scope="module")
def agent(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Adapters]:
    directory = tmp_path_factory.mktemp("mind")
    with closing(Memory(directory / FILE_NAME, AnyMeaning())) as memory:
        memory.remember(
            MemoryEntry(EntryKind.EPISODE, "Counted screws for Otto.", created=1.0),
            MemoryEntry(EntryKind.FACT, "green", "favorite color", "the person", 1000.0),
            MemoryEntry(EntryKind.FACT, "Paris", "home town", "the person", 1001.0),
            MemoryEntry(
                EntryKind.EPISODE, "Danced for Maria.", source="a task", created=1002.0, participants=("Maria",)
            ),
            MemoryEntry(EntryKind.DOCUMENT, "Water the plants.", "plants.md", "plants.md, line 1", 1003.0),
        )
    keep_conversations(directory / SESSIONS_FILE)
    with NodeProcess("agent", {"directory": str(directory)}) as process:
        watches = HeartbeatWatches(ros.node)
        adapters = Adapters(
            directory,
            RosMemories(ros.node, watches),
            RosTraces(ros.node, watches),
            RosConversation(ros.node, watches),
            TraceStore(),
        )
        wait_until(lambda: watches.of(names.AGENT).alive, "the agent")
        yield adapters
        assert process.stop() == 0


def test_memory_search_without_query_returns_newest_first(agent: Adapters) -> None:
    found = agent.find("  ", limit=3).entries
    assert [entry.text for entry in found] == ["Water the plants.", "Danced for Maria.", "Paris"]
    assert (found[1].kind, found[1].participants, found[1].score) == ("episode", ["Maria"], None)
    assert (found[1].source, found[1].created) == ("a task", 1002.0)


def test_memory_search_finds_words_in_requested_kinds_of_entries(agent: Adapters) -> None:
    (found,) = agent.find("what color does he like?").entries
    assert (found.text, found.key) == ("green", "favorite color")
    assert found.score is not None
    assert 0.0 < found.score <= 1.0
    assert agent.find("color", ["episode", "note"]).entries == []


def test_deleted_memory_entry_is_erased_from_disk(agent: Adapters) -> None:
    (found,) = agent.find("Otto").entries
    gone = asyncio.run(agent.memories.forget(found.id))
    assert (gone.forgotten, gone.erased) == (1, True)
    assert not any(b"Otto" in each.read_bytes() for each in agent.directory.glob(f"{FILE_NAME}*"))
    with pytest.raises(AgentError) as unknown:
        asyncio.run(agent.memories.forget(found.id))
    assert unknown.value.code is ErrorCode.NOT_FOUND


def test_rejects_deletion_of_single_file_passage_from_memory(agent: Adapters) -> None:
    (passage,) = agent.find("plants", ["document"]).entries
    with pytest.raises(AgentError, match=r"plants\.md") as refused:
        asyncio.run(agent.memories.forget(passage.id))
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS


def recorded(store: TraceStore, session_id: str, ago: float, spans: Sequence[Span] = SPANS) -> uuid.UUID:
    turn_id, began = uuid.uuid4(), time.time() - ago
    records = [SpanRecord(turn_id, session_id, began + span.start + span.duration, span) for span in spans]
    store.add(records, {}, TraceRetention())
    return turn_id


def test_recorded_turn_has_summary_and_steps(agent: Adapters) -> None:
    turn_id = recorded(agent.store, "whole", 10.0)
    turn = asyncio.run(agent.traces.find(str(turn_id)[:8]))
    assert (turn.turn_id, turn.heard, turn.reply, turn.agent) == (str(turn_id), "dance", "I tried.", "coordinator")
    assert (turn.duration, turn.input_tokens, turn.output_tokens, turn.tools) == (1.0, 800, 20, ["dance"])
    assert (turn.error_code, turn.error_msg) == (ErrorCode.TIMEOUT, "Too slow.")
    assert [span.kind for span in turn.spans] == [0, 1, 2, 3, 4]
    assert (turn.spans[-1].arguments_json, turn.spans[-1].error_code) == ('{"name": "jig"}', ErrorCode.TIMEOUT)
    assert (turn.spans[-1].start, turn.spans[-1].duration) == pytest.approx((0.6, 0.3))


def test_duration_of_running_turn_is_unknown(agent: Adapters) -> None:
    recorded(agent.store, "running", 10.0, SPANS[:3])
    (turn,) = asyncio.run(agent.traces.latest(5, "running")).turns
    assert (turn.duration, turn.heard, turn.reply) == (None, "dance", "")


def test_traces_list_turns_of_conversation_newest_first(agent: Adapters) -> None:
    old, other, new = (recorded(agent.store, name, ago) for name, ago in (("a", 3.0), ("b", 2.0), ("a", 1.0)))
    latest = asyncio.run(agent.traces.latest(2, "")).turns
    assert [turn.turn_id for turn in latest] == [str(new), str(other)]
    named = asyncio.run(agent.traces.latest(5, "a")).turns
    assert [turn.turn_id for turn in named] == [str(new), str(old)]
    assert not hasattr(named[0], "spans")


def test_unknown_turn_raises_not_found(agent: Adapters) -> None:
    with pytest.raises(AgentError) as unknown:
        asyncio.run(agent.traces.find("0000"))
    assert unknown.value.code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize("limit", [0, 501])
def test_rejects_number_of_turns_outside_range(agent: Adapters, limit: int) -> None:
    with pytest.raises(AgentError, match="expected 1 to 500") as refused:
        asyncio.run(agent.traces.latest(limit, ""))
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS


@pytest.mark.parametrize(
    ("kinds", "limit", "reason"),
    [(["dream"], 5, "expected one of fact, episode, note, document"), ((), 0, "1 to 100"), ((), 101, "1 to 100")],
)
def test_rejects_invalid_memory_search(agent: Adapters, kinds: Sequence[str], limit: int, reason: str) -> None:
    with pytest.raises(AgentError, match=reason) as refused:
        agent.find("color", kinds, limit)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS


def test_history_of_several_pages_is_complete_and_in_order(agent: Adapters) -> None:
    history = asyncio.run(agent.conversation.history("long")).messages
    assert [message.content for message in history] == [f"Sentence {number}." for number in range(SENTENCES)]
    assert (history[0].role, history[0].agent) == ("user", "")
    assert history[0].timestamp == pytest.approx(time.time(), abs=600.0)


def test_replaces_characters_that_ros_message_cannot_contain(agent: Adapters) -> None:
    (message,) = asyncio.run(agent.conversation.history("half a character")).messages
    assert message.content == "half \ufffd of it"


def test_lists_each_conversation_of_several_pages_once(agent: Adapters) -> None:
    listed = [session.session_id for session in asyncio.run(agent.conversation.sessions()).sessions]
    assert len(listed) == len(set(listed)) == SESSIONS + 2
    assert {"long", "half a character", "0", str(SESSIONS - 1)} <= set(listed)


def test_unknown_conversation_raises_not_found(agent: Adapters) -> None:
    conversation = agent.conversation
    for asked in (conversation.session, conversation.history, conversation.delete):
        with pytest.raises(AgentError) as unknown:
            asyncio.run(asked("nobody's"))
        assert unknown.value.code is ErrorCode.NOT_FOUND
