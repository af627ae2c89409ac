"""Opening, migration and integrity check of SQLite files. Damaged files are renamed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.file_lock import locked
from reachy_agent_ros.storage.row_checksums import RowChecksums

BUSY_TIMEOUT = 2.0
"""Time to wait while another process is writing, s."""

OPENING_PATIENCE = 10.0
"""Time to wait while another process is opening a file, s."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@dataclass(frozen=True)
class Format:
    """Content type and schema of a database file.

    Attributes:
        content: Name of the content for error messages, such as "memory".
        schema: SQL that creates missing tables and indexes of version 1.
        changes: SQL migrations; the n-th turns version n into version n + 1. Published migrations are never edited.
    """

    content: str
    schema: str
    changes: Sequence[str] = ()

    @property
    def version(self) -> int:
        """Schema version, which is stored in the file's `user_version`. Files of later versions are never changed."""
        return 1 + len(self.changes)


def connect(path: Path | None, format: Format, seals: RowChecksums, doubted: bool = False) -> sqlite3.Connection:  # noqa: A002
    """Opens or creates a file, checks its integrity and migrates it. The caller must hold the lock of `alone`.

    Args:
        path: Database file; None for a database in memory.
        format: Content and schema.
        seals: Records damaged rows.
        doubted: Whether to check every row, index and text index, which takes longer.

    Raises:
        sqlite3.Error: The file cannot be opened, or is damaged.
        OSError: The file cannot be created.
        AgentError: `STORAGE_FAILED`: a later version of this program wrote it.
    """
    if path is not None:
        path.touch(0o600)  # SQLite gives its log the same mode
    connection = sqlite3.connect(
        path or ":memory:", timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False
    )
    try:
        known_version(connection, path, format.version)
        configure(connection, seals)
        # Takes 0.15 s for 100,000 entries. Without it, a damaged page would only surface during a later query.
        if connection.execute(f"PRAGMA {'integrity' if doubted else 'quick'}_check(1)").fetchone() != ("ok",):
            raise _damage()
        if doubted:
            _check_text_indices(connection)
        bring_up_to_date(connection, path, format)
        empty_log(connection)  # an earlier process may have been unable to erase it
    except UnicodeDecodeError:  # SQLite's message quotes damaged bytes that are not UTF-8
        connection.close()
        raise _damage() from None
    except BaseException:
        connection.close()
        raise
    return connection


def configure(connection: sqlite3.Connection, seals: RowChecksums) -> None:
    """Enables durable commits, secure deletion and foreign keys, and installs the row checksum functions.

    Args:
        connection: Writable connection, from SQLAlchemy or from `connect`.
        seals: Records damaged rows.

    Raises:
        sqlite3.Error: The file is damaged or cannot be written.
    """
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    seals.install(connection)


def bring_up_to_date(connection: sqlite3.Connection, path: Path | None, format: Format) -> None:  # noqa: A002
    """Creates or migrates the tables in a transaction. For a file, the caller must hold the lock of `alone`.

    Args:
        connection: Connection outside a transaction.
        path: Name of the file for the error message; None for a database in memory.
        format: Content and schema.

    Raises:
        AgentError: `STORAGE_FAILED`: a later version of this program wrote it.
        sqlite3.Error: The file is damaged or cannot be written.
    """
    version = known_version(connection, path, format.version)
    if version == format.version:
        return
    steps = " ".join(([format.schema] if version == 0 else []) + [*format.changes[max(0, version - 1) :]])
    connection.executescript(f"BEGIN IMMEDIATE; {steps} PRAGMA user_version={format.version}; COMMIT;")


def known_version(connection: sqlite3.Connection, path: Path | None, newest: int) -> int:
    """Returns the schema version of a file. The version is 0 if the file is new or older than version numbers.

    Args:
        connection: Connection to the file.
        path: Name of the file for the error message.
        newest: Newest supported version.

    Raises:
        AgentError: `STORAGE_FAILED`: a later version of this program wrote it.
        sqlite3.Error: The file is damaged.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > newest:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} was written by a later version of this program.")
    return version


def is_damage(error: sqlite3.Error) -> bool:
    """Returns whether a database error means that the file itself is damaged."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


def _check_text_indices(connection: sqlite3.Connection) -> None:
    """Checks the full-text indices, because SQLite's own check does not include them.

    Raises:
        sqlite3.DatabaseError: An index is damaged.
    """
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%USING fts5%'").fetchall():
        connection.execute(f"INSERT INTO {name} ({name}) VALUES ('integrity-check')")  # noqa: S608 - our own name


def _damage() -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError("its integrity check failed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def empty_log(connection: sqlite3.Connection) -> bool:
    """Empties the write-ahead log. Returns False if another process reads or writes, which prevents this."""
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def set_aside(path: Path) -> Path:
    """Renames a damaged file and its journal files. Returns the new name of the file."""
    aside = path.with_name(f"{path.name}.damaged-{datetime.now():%Y-%m-%dT%H-%M-%S.%f}")
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.rename(f"{path}{suffix}", f"{aside}{suffix}")
    return aside


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Holds the lock that a process needs to open a file.

    Without this lock, a process could rename a file that another process has just created.

    Raises:
        AgentError: `STORAGE_FAILED`: another process or thread holds the lock, or its file cannot be created.
    """
    with locked(path.with_name(f"{path.name}.lock"), OPENING_PATIENCE):
        yield
