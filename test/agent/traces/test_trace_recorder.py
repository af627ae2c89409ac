import logging
import sqlite3
import threading
import uuid
from pathlib import Path

import pytest

from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.agent.traces.trace_recorder import MAX_TEXT, TraceRecorder
from reachy_agent_ros.agent.traces.trace_store import TraceStore
from reachy_agent_ros.core.errors import AgentError, ErrorCode


def span(number: int = 1, summary: str = "") -> Span:
    return Span(number, SpanKind.TOOL, "take_photo", 0.0, 0.1, '{"to": "ann@home.org"}', summary)


@pytest.fixture
def store(tmp_path: Path) -> TraceStore:
    return TraceStore(tmp_path / "traces.db")


def test_closing_trace_recorder_writes_all_recorded_spans(store: TraceStore) -> None:
    recorder = TraceRecorder(store)
    turns = [uuid.uuid4() for _ in range(10)]
    for turn_id in turns:
        for number in range(1, 9):
            recorder.record(turn_id, "default", span(number))
    recorder.close()
    assert {turn.turn_id: len(turn.spans) for turn in store.latest(20)} == dict.fromkeys(turns, 8)
    assert recorder.dropped == 0


def test_trace_recorder_redacts_text_before_truncation(store: TraceStore) -> None:
    recorder = TraceRecorder(store, redact=lambda text: text.replace("ann@home.org", "[address]"))
    failed = span(summary="x" * (MAX_TEXT - 5) + "ann@home.org")
    failed.error = AgentError(ErrorCode.TOOL_FAILED, "ann@home.org is away.")
    recorder.record(uuid.uuid4(), "default", failed)
    recorder.close()
    kept = store.latest(1)[0].spans[0]
    assert kept.arguments_json == '{"to": "[address]"}'
    assert kept.summary == "x" * (MAX_TEXT - 5) + "[add…"
    assert kept.error is not None
    assert kept.error.message == "[address] is away."
    assert failed.summary.endswith("ann@home.org")


def test_trace_recorder_counts_lost_spans_instead_of_waiting_for_slow_disk(
    store: TraceStore, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    begun, free = threading.Event(), threading.Event()

    def slow(text: str) -> str:
        begun.set()
        assert free.wait(30.0)
        return text

    recorder = TraceRecorder(store, redact=slow, length=4)
    turn_id = uuid.uuid4()
    recorder.record(turn_id, "default", span(1))
    assert begun.wait(30.0)
    for number in range(2, 12):
        recorder.record(turn_id, "default", span(number))
    assert recorder.dropped == 6
    free.set()
    recorder.close()
    (turn,) = store.latest(1)
    assert (len(turn.spans), turn.lost) == (5, 6)
    assert "6 spans were not recorded." in caplog.text


def test_trace_recorder_drops_spans_instead_of_waiting_for_locked_file(
    store: TraceStore, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reachy_agent_ros.agent.traces.trace_store.PATIENCE", 0.0)
    turn_id = uuid.uuid4()
    recorder = TraceRecorder(store)
    recorder.record(turn_id, "default", span(1))
    recorder.close()
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    recorder = TraceRecorder(store)
    recorder.record(turn_id, "default", span(2))
    recorder.close()
    other.execute("ROLLBACK")
    other.close()
    assert recorder.dropped == 1
    assert len(store.latest(1)[0].spans) == 1
    assert caplog.text.count("Turns are not recorded") == 1
