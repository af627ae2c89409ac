"""Spans as rows of SQLite."""

from __future__ import annotations

from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.core.errors import AgentError, ErrorCode

VERSION = 1
"""Of the file's form."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS turns (
    turn_id BLOB PRIMARY KEY, session_id TEXT NOT NULL, began REAL NOT NULL, lost INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS turns_by_time ON turns (began);
CREATE TABLE IF NOT EXISTS spans (
    turn_id BLOB NOT NULL REFERENCES turns ON DELETE CASCADE,
    number INTEGER NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL, start REAL NOT NULL, duration REAL NOT NULL,
    arguments_json TEXT NOT NULL, summary TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    error_code INTEGER NOT NULL, error_msg TEXT NOT NULL,
    PRIMARY KEY (turn_id, number)
) WITHOUT ROWID;
"""
"""The tables; `kind` and `error_code` are numbers of the interfaces, times are seconds."""


def row_of(span: Span) -> tuple[int | float | str, ...]:
    """A span as a row of `spans`, without the turn's id."""
    told = (int(span.error.code), span.error.message) if span.error else (0, "")
    when, tokens = (span.start, span.duration), (span.input_tokens, span.output_tokens)
    return (span.number, int(span.kind), span.name, *when, span.arguments_json, span.summary, *tokens, *told)


def span_of(
    number: int,
    kind: int,
    name: str,
    start: float,
    duration: float,
    arguments_json: str,
    summary: str,
    input_tokens: int,
    output_tokens: int,
    error_code: int,
    error_msg: str,
) -> Span:
    """The span of such a row.

    Raises:
        ValueError: A kind or a code of a later version.
    """
    error = AgentError(ErrorCode(error_code), error_msg) if error_code else None
    said = (arguments_json, summary, input_tokens, output_tokens)
    return Span(number, SpanKind(kind), name, start, duration, *said, error)
