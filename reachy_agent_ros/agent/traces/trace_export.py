"""Exports traces to an OpenTelemetry collector, if the user has configured a collector.

Attributes follow the OpenTelemetry semantic conventions for generative AI. Speech, arguments and results are not
exported: the conventions make them optional, and a collector is usually another machine.
"""

from __future__ import annotations

import os
import time
import uuid
from typing import TYPE_CHECKING

from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
    from opentelemetry.util.types import AttributeValue

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""Environment variable for the URL of a collector, as defined by OpenTelemetry."""

_OPERATIONS = {
    SpanKind.TURN: "invoke_agent",
    SpanKind.MODEL: "chat",
    SpanKind.TOOL: "execute_tool",
    SpanKind.HANDOFF: "invoke_agent",
}
_SUBJECTS = {
    SpanKind.MODEL: "gen_ai.agent.name",
    SpanKind.TOOL: "gen_ai.tool.name",
    SpanKind.HANDOFF: "gen_ai.agent.name",
}


class TraceExport:
    """Exporter of spans to OpenTelemetry. The turn's id is used as the trace id.

    Args:
        processor: Receives the spans. A batch processor sends them in its own thread.
        service: Name of this program in the collector.
    """

    def __init__(self, processor: SpanProcessor, service: str = "reachy_agent") -> None:
        from opentelemetry.sdk.resources import Resource

        self._processor = processor
        self._resource = Resource.create({"service.name": service})

    def record(self, turn_id: uuid.UUID, session_id: str, span: Span) -> None:
        """Exports a finished span. Call it when the span ends."""
        self._processor.on_end(self._readable(turn_id, session_id, span, time.time_ns()))

    def close(self) -> None:
        """Sends the remaining spans and stops the export."""
        self._processor.shutdown()

    def _readable(self, turn_id: uuid.UUID, session_id: str, span: Span, ended: int) -> ReadableSpan:
        from opentelemetry.sdk.trace import ReadableSpan
        from opentelemetry.trace import SpanContext, Status, StatusCode, TraceFlags
        from opentelemetry.trace import SpanKind as Role

        def context(number: int) -> SpanContext:
            # Half of a random UUID plus the span's number: unique, and known before the span of the turn exists.
            own = (turn_id.int + number) & 0xFFFF_FFFF_FFFF_FFFF
            return SpanContext(turn_id.int, own or 1, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))

        # A span with number 0 that is not a turn belongs to speech that led to no turn.
        return ReadableSpan(
            name=" ".join(filter(None, (_OPERATIONS.get(span.kind, span.kind.name.lower()), span.name))),
            context=context(span.number),
            parent=context(0) if span.number else None,
            resource=self._resource,
            attributes=_attributes(session_id, span),
            kind=Role.CLIENT if span.kind is SpanKind.MODEL else Role.INTERNAL,
            status=Status(StatusCode.ERROR, span.error.code.name) if span.error else Status(StatusCode.UNSET),
            start_time=ended - round(span.duration * 1e9),
            end_time=ended,
        )


def trace_export(endpoint: str = "") -> TraceExport | None:
    """Creates the exporter for the configured collector.

    Args:
        endpoint: Base URL of an OTLP collector over HTTP; empty to use the environment variable.

    Returns:
        Export to the collector, None if no collector is configured.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: a collector is configured, but OpenTelemetry is not installed.
    """
    url = endpoint or os.environ.get(ENDPOINT, "")
    if not url:
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        message = f"To export traces to {url}, run: pip install opentelemetry-exporter-otlp-proto-http."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from None
    return TraceExport(BatchSpanProcessor(OTLPSpanExporter(endpoint=f"{url.rstrip('/')}/v1/traces")))


def _attributes(session_id: str, span: Span) -> dict[str, AttributeValue]:
    attributes: dict[str, AttributeValue] = {"reachy_agent.kind": span.kind.name.lower()}
    if session_id:
        attributes["gen_ai.conversation.id"] = session_id
    if span.kind in _OPERATIONS:
        attributes["gen_ai.operation.name"] = _OPERATIONS[span.kind]
    if span.kind in _SUBJECTS:
        attributes[_SUBJECTS[span.kind]] = span.name
    if span.kind is SpanKind.TOOL:
        attributes["gen_ai.tool.type"] = "function"
    if span.input_tokens or span.output_tokens:
        attributes["gen_ai.usage.input_tokens"] = span.input_tokens
        attributes["gen_ai.usage.output_tokens"] = span.output_tokens
    if span.error is not None:
        attributes["error.type"] = span.error.code.name
    return attributes
