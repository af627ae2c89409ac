"""The spans of every turn in one SQLite file, which other processes read while it is written.

The store comes first, then how spans become rows of its tables.
"""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from reachy_agent_ros.agent.traces.trace import Span, SpanKind, TracedTurn
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.storage.database_file import Format, bring_up_to_date, is_damage, known_version, set_aside

PATIENCE = 5.0
"""Seconds to wait for another process that writes."""


@dataclass(frozen=True)
class SpanRecord:
    """A span on its way to the disk.

    Attributes:
        turn_id: Whose it is.
        session_id: Conversation of the turn.
        ended: Wall clock, seconds since the epoch.
        span: What happened.
    """

    turn_id: uuid.UUID
    session_id: str
    ended: float
    span: Span

    @property
    def turn_began(self) -> float:
        """Start of its turn on the wall clock, seconds since the epoch."""
        return self.ended - self.span.duration - self.span.start


@dataclass(frozen=True)
class TraceRetention:
    """How much is kept.

    Attributes:
        turns: The latest so many.
        seconds: None older than this.
    """

    turns: int = 10_000
    seconds: float = 30 * 86_400.0


class TraceStore:
    """Recorded turns. Every method opens the file anew, so any thread and any process may use it.

    Args:
        path: The SQLite file; in the state directory where None. Only `add` makes it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or state_directory() / "traces.db"

    def add(self, records: Sequence[SpanRecord], lost: dict[tuple[uuid.UUID, str], int], keep: TraceRetention) -> None:
        """Adds spans in one transaction and forgets what need not be kept.

        Args:
            records: Spans that have ended.
            lost: How many spans of a turn, named with its conversation, could not be kept.
            keep: What remains.

        Raises:
            AgentError: `STORAGE_FAILED`; nothing was added.
        """
        now = time.time()
        with self._connection(write=True) as connection, connection:
            for record in records:
                _put_turn(connection, record.turn_id, record.session_id, record.turn_began, 0)
                connection.execute(
                    f"INSERT OR REPLACE INTO spans VALUES ({', '.join('?' * 12)})",  # noqa: S608 - marks only
                    (record.turn_id.bytes, *_row_of(record.span)),
                )
            for (turn_id, session_id), count in lost.items():
                _put_turn(connection, turn_id, session_id, now, count)
            newest_excess = "SELECT began FROM turns ORDER BY began DESC LIMIT 1 OFFSET ?"
            excess = connection.execute(newest_excess, (keep.turns,)).fetchone()
            connection.execute("DELETE FROM turns WHERE began < ?", (now - keep.seconds,))
            if excess is not None:
                connection.execute("DELETE FROM turns WHERE began <= ?", excess)

    def latest(self, count: int, session_id: str | None = None) -> list[TracedTurn]:
        """The latest turns, oldest first; of one conversation where it is named.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._connection() as connection:
            query = "SELECT * FROM turns WHERE ?1 IS NULL OR session_id = ?1 ORDER BY began DESC LIMIT ?2"
            rows = connection.execute(query, (session_id, count)).fetchall()
            return [_turn(connection, row) for row in reversed(rows)]

    def find(self, beginning: str) -> TracedTurn:
        """The turn whose id begins so, with or without dashes.

        Raises:
            AgentError: `NOT_FOUND` if there is none or more than one, or `STORAGE_FAILED`.
        """
        prefix = beginning.replace("-", "").lower()
        with self._connection() as connection:
            query = "SELECT * FROM turns WHERE substr(lower(hex(turn_id)), 1, ?) = ? LIMIT 2"
            rows = connection.execute(query, (len(prefix), prefix)).fetchall()
            if len(rows) != 1 or not prefix:
                found = "More than one turn is" if rows else "No turn is"
                raise AgentError(ErrorCode.NOT_FOUND, f"{found} recorded whose id begins with {beginning!r}.")
            return _turn(connection, rows[0])

    @contextmanager
    def _connection(self, write: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection; to read where there is no file yet, one to an empty database."""
        try:
            if write:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            there = write or self.path.exists()
            name = f"{self.path.absolute().as_uri()}?mode={'rwc' if write else 'ro'}" if there else ":memory:"
            with closing(sqlite3.connect(name, timeout=PATIENCE, uri=there)) as connection:
                known_version(connection, self.path, _FORMAT.version)
                if write:
                    # A power cut may take the last turns with it, never the file: nobody was promised these.
                    connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")
                    connection.execute("PRAGMA foreign_keys=ON")
                if write or not there:
                    bring_up_to_date(connection, self.path, _FORMAT)
                yield connection
        except (sqlite3.Error, OSError, ValueError) as error:  # ValueError: a code or kind of a later version
            if write and isinstance(error, sqlite3.Error) and is_damage(error):
                set_aside(self.path)  # what can be saved of it is for a person to see to
            raise AgentError(ErrorCode.STORAGE_FAILED, f"{self.path} cannot be used: {error}.") from error


def _put_turn(connection: sqlite3.Connection, turn_id: uuid.UUID, session_id: str, began: float, lost: int) -> None:
    connection.execute(
        "INSERT INTO turns VALUES (?, ?, ?, ?) ON CONFLICT (turn_id) DO UPDATE SET lost = lost + excluded.lost",
        (turn_id.bytes, session_id, began, lost),
    )


def _turn(connection: sqlite3.Connection, row: tuple[bytes, str, float, int]) -> TracedTurn:
    query = "SELECT * FROM spans WHERE turn_id = ? ORDER BY start, number"
    spans = tuple(_span_of(_SpanRow(*span[1:])) for span in connection.execute(query, row[:1]))
    return TracedTurn(uuid.UUID(bytes=row[0]), row[1], row[2], row[3], spans)


_FORMAT = Format(
    "traces",
    """
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
""",
)
"""The tables; `kind` and `error_code` are numbers of the interfaces, times are seconds."""


class _SpanRow(NamedTuple):
    """A row of `spans`, without the turn's id."""

    number: int
    kind: int
    name: str
    start: float
    duration: float
    arguments_json: str
    summary: str
    input_tokens: int
    output_tokens: int
    error_code: int
    error_msg: str


def _row_of(span: Span) -> _SpanRow:
    told = (int(span.error.code), span.error.message) if span.error else (0, "")
    when, tokens = (span.start, span.duration), (span.input_tokens, span.output_tokens)
    return _SpanRow(span.number, int(span.kind), span.name, *when, span.arguments_json, span.summary, *tokens, *told)


def _span_of(row: _SpanRow) -> Span:
    """The span of a row.

    Raises:
        ValueError: A kind or a code of a later version.
    """
    error = AgentError(ErrorCode(row.error_code), row.error_msg) if row.error_code else None
    said = (row.arguments_json, row.summary, row.input_tokens, row.output_tokens)
    return Span(row.number, SpanKind(row.kind), row.name, row.start, row.duration, *said, error)
