import json
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.agent.traces.trace_store import SpanRecord, TraceRetention, TraceStore
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage import database_file

SPANS = (
    Span(1, SpanKind.HEARING, "speech", -0.5, 0.5, summary="look left"),
    Span(2, SpanKind.MODEL, "coordinator", 0.1, 0.4, input_tokens=800, output_tokens=20),
    Span(3, SpanKind.TOOL, "move_head", 0.6, 0.3, '{"yaw_deg": 30}', error=AgentError(ErrorCode.TIMEOUT, "Too slow.")),
    Span(0, SpanKind.TURN, "spoken", 0.0, 1.0, summary="I looked left."),
)

READ = """
import sys
from pathlib import Path
from reachy_agent_ros.agent.traces.trace_store import TraceStore
print([len(TraceStore(Path(sys.argv[1])).latest(10_000)) for _ in range(20)])
"""
"""Program that repeatedly counts the turns in a store."""


def records(turn_id: uuid.UUID, ended: float | None = None, spans: tuple[Span, ...] = SPANS) -> list[SpanRecord]:
    begin = (time.time() if ended is None else ended) - 1.0
    return [SpanRecord(turn_id, "default", begin + span.start + span.duration, span) for span in spans]


@pytest.fixture
def store(tmp_path: Path) -> TraceStore:
    return TraceStore(tmp_path / "new" / "traces.db")


def test_trace_store_returns_stored_turn_unchanged(store: TraceStore) -> None:
    turn_id, ended = uuid.uuid4(), time.time()
    store.add(records(turn_id, ended), {}, TraceRetention())
    (turn,) = store.latest(5)
    assert (turn.turn_id, turn.session_id, turn.heard, turn.lost) == (turn_id, "default", "look left", 0)
    assert turn.began == pytest.approx(ended - 1.0)
    assert [span.number for span in turn.spans] == [1, 0, 2, 3]
    assert (turn.start, turn.end, turn.tokens, turn.error) == (-0.5, 1.0, (800, 20), None)
    error = turn.spans[-1].error
    assert error is not None
    assert (error.code, error.message) == (ErrorCode.TIMEOUT, "Too slow.")


def test_speech_after_end_of_turn_is_included_in_turn(store: TraceStore) -> None:
    turn_id = uuid.uuid4()
    store.add(records(turn_id), {}, TraceRetention())
    store.add(
        records(turn_id, spans=(Span(4, SpanKind.SPEECH, "say", 0.9, 1.6, summary="Done."),)), {}, TraceRetention()
    )
    assert store.latest(5)[0].end == 2.5


def test_trace_store_returns_latest_turns_oldest_first(store: TraceStore) -> None:
    ids = [uuid.uuid4() for _ in range(5)]
    for number, turn_id in enumerate(ids):
        store.add(records(turn_id, time.time() - 100.0 + number), {}, TraceRetention())
    assert [turn.turn_id for turn in store.latest(3)] == ids[2:]


def test_finds_turn_by_prefix_of_id(store: TraceStore) -> None:
    one, other = uuid.UUID(int=1 << 120), uuid.UUID(int=(1 << 120) + 1)
    store.add([*records(one), *records(other)], {}, TraceRetention())
    assert store.find(str(one)).turn_id == one
    for beginning in (one.hex[:8], "ffff", ""):
        with pytest.raises(AgentError) as error:
            store.find(beginning)
        assert error.value.code is ErrorCode.NOT_FOUND


def test_trace_store_keeps_limited_number_of_turns(store: TraceStore) -> None:
    ids = [uuid.uuid4() for _ in range(6)]
    for number, turn_id in enumerate(ids):
        store.add(records(turn_id, time.time() - 100.0 + number), {}, TraceRetention(turns=4))
    assert [turn.turn_id for turn in store.latest(10)] == ids[2:]
    assert spans_on_disk(store) == 4 * len(SPANS)


def test_trace_store_deletes_old_turns(store: TraceStore) -> None:
    store.add(records(uuid.uuid4(), time.time() - 7_200.0), {}, TraceRetention())
    young = uuid.uuid4()
    store.add(records(young), {}, TraceRetention(seconds=3_600.0))
    assert [turn.turn_id for turn in store.latest(10)] == [young]
    assert spans_on_disk(store) == len(SPANS)


def test_reading_traces_does_not_create_database_file(store: TraceStore) -> None:
    assert store.latest(5) == []
    assert not store.path.exists()


@pytest.mark.slow
def test_other_processes_can_read_traces_during_writes(store: TraceStore) -> None:
    store.add(records(uuid.uuid4()), {}, TraceRetention())
    command = [sys.executable, "-c", READ, store.path]  # not a fork, which would inherit the locks of earlier tests
    readers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    written = 1
    while any(reader.poll() is None for reader in readers):
        store.add(records(uuid.uuid4()), {}, TraceRetention())
        written += 1
    counts = [json.loads(reader.communicate()[0]) for reader in readers]
    assert all(1 <= first <= last <= written for first, *_, last in counts)
    assert len(store.latest(written + 1)) == written


@pytest.mark.parametrize("use", [lambda store: store.latest(1), lambda store: store.add([], {}, TraceRetention())])
def test_damaged_trace_file_raises_error(store: TraceStore, use: Callable[[TraceStore], object]) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(b"no database" * 1_000)
    with pytest.raises(AgentError) as error:
        use(store)
    assert error.value.code is ErrorCode.STORAGE_FAILED


def test_recording_of_traces_continues_after_damage_to_file(store: TraceStore) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(b"no database" * 1_000)
    with pytest.raises(AgentError):
        store.add(records(uuid.uuid4()), {}, TraceRetention())
    store.add(records(uuid.uuid4()), {}, TraceRetention())
    assert len(store.latest(5)) == 1
    (damaged,) = store.path.parent.glob("traces.db.damaged-*")
    assert damaged.read_bytes().startswith(b"no database")


def spans_on_disk(store: TraceStore) -> int:
    connection = sqlite3.connect(store.path)
    count: int = connection.execute("SELECT count(*) FROM spans").fetchone()[0]
    connection.close()
    return count


def test_recording_waits_for_lock_of_process_that_opens_file(
    store: TraceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prevents that a process renames the new file of another one after damage."""
    monkeypatch.setattr(database_file, "OPENING_PATIENCE", 0.0)
    store.path.parent.mkdir()
    with database_file.alone(store.path), pytest.raises(AgentError, match="Another process or thread holds"):
        store.add(records(uuid.uuid4()), {}, TraceRetention())
    store.add(records(uuid.uuid4()), {}, TraceRetention())
    assert len(store.latest(5)) == 1


def test_finds_agent_and_turns_of_conversation(store: TraceStore) -> None:
    other, turn_id = uuid.uuid4(), uuid.uuid4()
    deferred = Span(3, SpanKind.REFLEX, "reflex", 0.0, 0.1, summary="defer")
    store.add([SpanRecord(other, "other", time.time() - 10.0, deferred)], {}, TraceRetention())
    store.add(records(turn_id), {}, TraceRetention())
    assert [turn.agent for turn in store.latest(5)] == ["", "coordinator"]
    assert [turn.turn_id for turn in store.latest(5, "other")] == [other]
    assert store.latest(5, "none") == []
