import json
import time
import uuid
from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.agent.traces.trace_store import SpanRecord, TraceRetention, TraceStore
from reachy_agent_ros.cli.commands import trace
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.command_line import run_command

run = partial(run_command, trace)


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))


def record(summary: str, ago: float = 0.0) -> uuid.UUID:
    turn_id = uuid.uuid4()
    tool = Span(1, SpanKind.TOOL, "move_head", 0.1, 0.5, '{"yaw_deg": 30}')
    failed = Span(0, SpanKind.TURN, "typed", 0.0, 0.6, "", summary, error=AgentError(ErrorCode.TIMEOUT, "Late."))
    ended = time.time() - ago
    TraceStore().add([SpanRecord(turn_id, "default", ended, span) for span in (tool, failed)], {}, TraceRetention())
    return turn_id


def test_trace_command_draws_last_turns_oldest_first(capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(5):
        record(f"reply {number}", ago=100.0 - number)
    assert run("2") == 0
    drawn = capsys.readouterr().out
    assert [f"reply {number}" in drawn for number in range(5)] == [False, False, False, True, True]
    assert drawn.index("reply 3") < drawn.index("reply 4")
    assert "\033" not in drawn


def test_trace_command_prints_one_json_object_per_turn(capsys: pytest.CaptureFixture[str]) -> None:
    turn_id = record("I looked left.")
    record("another")
    assert run("--turn", turn_id.hex[:12], "--json") == 0
    (line,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert line["turn_id"] == str(turn_id)
    assert line["error"] == {"code": "TIMEOUT", "message": "Late."}
    assert [(span["kind"], span["start_ms"], span["duration_ms"]) for span in line["spans"]] == [("tool", 100.0, 500.0)]


def test_trace_command_reports_that_no_turn_is_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json") == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "No turn is recorded" in err


def test_trace_reports_unknown_turn_as_not_found() -> None:
    record("hello")
    with pytest.raises(AgentError) as error:
        run("--turn", "zzzz")
    assert error.value.code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_trace_command_rejects_invalid_number_of_turns(count: str) -> None:
    with pytest.raises(SystemExit):
        run(count)
