from __future__ import annotations

import sys
import threading
import uuid
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.agent.traces.trace_export import ENDPOINT, TraceExport, trace_export
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

TURN = uuid.uuid4()
SPANS = (
    Span(1, SpanKind.HEARING, "speech", -0.5, 0.5, summary="my name is Ann"),
    Span(2, SpanKind.MODEL, "coordinator", 0.1, 0.4, input_tokens=800, output_tokens=20),
    Span(3, SpanKind.TOOL, "move_head", 0.6, 0.3, '{"who": "Ann"}', "Ann", error=AgentError(ErrorCode.TIMEOUT, "Ann")),
    Span(4, SpanKind.HANDOFF, "vision", 0.9, 0.0),
    Span(0, SpanKind.TURN, "spoken", 0.0, 1.0, summary="Hello Ann."),
)


@pytest.fixture
def exported() -> list[ReadableSpan]:
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    export = TraceExport(SimpleSpanProcessor(exporter))
    for span in SPANS:
        export.record(TURN, "default", span)
    spans = list(exporter.get_finished_spans())
    export.close()
    return spans


def test_exports_turn_as_one_trace_with_all_steps(exported: list[ReadableSpan]) -> None:
    *steps, root = exported
    assert {span.context.trace_id for span in exported} == {TURN.int}
    assert len({span.context.span_id for span in exported}) == len(SPANS)
    assert root.parent is None
    assert {step.parent.span_id for step in steps if step.parent} == {root.context.span_id}


def test_span_names_and_attributes_follow_opentelemetry_conventions(exported: list[ReadableSpan]) -> None:
    assert [span.name for span in exported] == [
        "hearing speech",
        "chat coordinator",
        "execute_tool move_head",
        "invoke_agent vision",
        "invoke_agent spoken",
    ]
    model, tool = (dict(exported[index].attributes or {}) for index in (1, 2))
    assert model["gen_ai.usage.input_tokens"] == 800
    assert model["gen_ai.operation.name"] == "chat"
    assert (tool["gen_ai.tool.name"], tool["error.type"]) == ("move_head", "TIMEOUT")
    begin, end = exported[1].start_time, exported[1].end_time
    assert begin is not None
    assert end is not None
    assert end - begin == 400_000_000


def test_exported_trace_contains_no_speech(exported: list[ReadableSpan]) -> None:
    assert all("Ann" not in span.to_json() for span in exported)


def test_traces_are_exported_only_to_configured_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENDPOINT, raising=False)
    assert trace_export() is None


@pytest.fixture
def collector() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Suppresses the log output of the server."""

    server = HTTPServer(("127.0.0.1", 0), Collector)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_sends_spans_to_configured_collector(collector: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    url, asked = collector
    monkeypatch.setenv(ENDPOINT, url)
    export = trace_export()
    assert export is not None
    export.record(TURN, "default", SPANS[0])
    export.close()
    assert asked == ["/v1/traces"]


def test_trace_export_without_opentelemetry_package_raises_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace.export", None)
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(AgentError) as error:
        trace_export("http://localhost:4318")
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert "pip install" in error.value.message
