import asyncio
import time
import uuid
from pathlib import Path

import pytest

from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.agent.traces.trace_store import Retention, SpanRecord, TraceStore
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.gateway.traces import FileTraces

SPANS = (
    Span(1, SpanKind.HEARING, "typed", 0.0, summary="dance"),
    Span(2, SpanKind.REFLEX, "reflex", 0.0, 0.1, summary="defer"),
    Span(3, SpanKind.MODEL, "coordinator", 0.1, 0.4, input_tokens=800, output_tokens=20),
    Span(4, SpanKind.TOOL, "dance", 0.6, 0.3, '{"name": "jig"}', error=AgentError(ErrorCode.TIMEOUT, "Too slow.")),
    Span(0, SpanKind.TURN, "typed", 0.0, 1.0, summary="I tried.", error=AgentError(ErrorCode.TIMEOUT, "Too slow.")),
)


def added(store: TraceStore, session_id: str, ago: float) -> uuid.UUID:
    turn_id, began = uuid.uuid4(), time.time() - ago
    records = [SpanRecord(turn_id, session_id, began + span.start + span.duration, span) for span in SPANS]
    store.add(records, {}, Retention())
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
