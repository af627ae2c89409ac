"""Database of the spans of turns. Other processes can read the file while one process writes to it.

The first part is the store, the second the conversion between spans and table rows.
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
from reachy_agent_ros.storage.database_file import Format, alone, bring_up_to_date, is_damage, known_version, set_aside

PATIENCE = 5.0
"""Time to wait while another process is writing, s."""


@dataclass(frozen=True)
class SpanRecord:
    """Finished span and its turn, in the form that is stored.

    Attributes:
        turn_id: Turn of the span.
        session_id: Conversation of the turn.
        ended: Wall-clock time of the end of the span, s since the epoch.
        span: Span to store.
    """

    turn_id: uuid.UUID
    session_id: str
    ended: float
    span: Span

    @property
    def turn_began(self) -> float:
        """Wall-clock time (s since the epoch) at which the turn started."""
        return self.ended - self.span.duration - self.span.start


@dataclass(frozen=True)
class TraceRetention:
    """Retention rule for recorded turns.

    Attributes:
        turns: Maximum number of turns.
        seconds: Maximum age of a turn, s.
    """

    turns: int = 10_000
    seconds: float = 30 * 86_400.0


class TraceStore:
    """Store of recorded turns in a SQLite file. Several threads and processes may use it.

    Every call opens the file.

    Args:
        path: Path of the file; None for the default in the state directory. Only `add` creates the file.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or state_directory() / "traces.db"

    def add(self, records: Sequence[SpanRecord], lost: dict[tuple[uuid.UUID, str], int], keep: TraceRetention) -> None:
        """Adds spans and deletes old turns in one transaction.

        Args:
            records: Spans that have ended.
            lost: Number of spans that could not be stored, by turn and conversation.
            keep: Retention rule for turns.

        Raises:
            AgentError: `STORAGE_FAILED`: nothing was added.
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
        """Returns the latest turns, oldest first. If `session_id` is given, returns only turns of that conversation.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._connection() as connection:
            query = "SELECT * FROM turns WHERE ?1 IS NULL OR session_id = ?1 ORDER BY began DESC LIMIT ?2"
            rows = connection.execute(query, (session_id, count)).fetchall()
            return [_turn(connection, row) for row in reversed(rows)]

    def find(self, beginning: str) -> TracedTurn:
        """Returns the turn whose id begins with `beginning`, with or without dashes.

        Raises:
            AgentError: `NOT_FOUND`: there is no such turn or more than one; `STORAGE_FAILED`.
        """
        prefix = beginning.replace("-", "").lower()
        with self._connection() as connection:
            query = "SELECT * FROM turns WHERE substr(lower(hex(turn_id)), 1, ?) = ? LIMIT 2"
            rows = connection.execute(query, (len(prefix), prefix)).fetchall()
            if len(rows) != 1 or not prefix:
                found = "More than one recorded turn has" if rows else "No recorded turn has"
                raise AgentError(ErrorCode.NOT_FOUND, f"{found} an id that starts with {beginning!r}.")
            return _turn(connection, rows[0])

    @contextmanager
    def _connection(self, write: bool = False) -> Iterator[sqlite3.Connection]:
        """Opens a connection. When reading, treats a missing file as an empty database."""
        try:
            if write:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._writing() if write else self._reading() as connection:
                yield connection
        except (sqlite3.Error, OSError, ValueError) as error:  # ValueError: a code or kind from a later version
            raise AgentError(ErrorCode.STORAGE_FAILED, f"{self.path} cannot be used: {error}.") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with alone(self.path):
            try:
                with closing(self._open("rwc")) as connection:
                    known_version(connection, self.path, _FORMAT.version)
                    # A power failure may lose the last turns, which is acceptable, but never damages the file.
                    connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")
                    connection.execute("PRAGMA foreign_keys=ON")
                    bring_up_to_date(connection, self.path, _FORMAT)
                    yield connection
            except sqlite3.Error as error:
                if is_damage(error):
                    set_aside(self.path)  # a person may be able to recover data
                raise

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        there = self.path.exists()
        with closing(self._open("ro") if there else sqlite3.connect(":memory:")) as connection:
            known_version(connection, self.path, _FORMAT.version)
            if not there:
                bring_up_to_date(connection, None, _FORMAT)
            yield connection

    def _open(self, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.path.absolute().as_uri()}?mode={mode}", timeout=PATIENCE, uri=True)


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
"""Tables; `kind` and `error_code` are constants of the ROS messages, and times are in seconds."""


class _SpanRow(NamedTuple):
    """Values of a row of the table `spans`, without the id of the turn."""

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
    """Converts a row of the table `spans` to a span.

    Raises:
        ValueError: The kind or the error code is from a later version.
    """
    error = AgentError(ErrorCode(row.error_code), row.error_msg) if row.error_code else None
    said = (row.arguments_json, row.summary, row.input_tokens, row.output_tokens)
    return Span(row.number, SpanKind(row.kind), row.name, row.start, row.duration, *said, error)
