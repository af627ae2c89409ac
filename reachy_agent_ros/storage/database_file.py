"""One SQLite file on disk: opened with care, and set aside where it is damaged."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.file_lock import private_lock
from reachy_agent_ros.storage.row_checksums import RowChecksums

BUSY_TIMEOUT = 2.0
"""Seconds to wait for another process that writes."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@dataclass(frozen=True)
class Format:
    """What a file holds.

    Attributes:
        content: What a person calls it, for complaints: "memory".
        schema: SQL that makes what is not there yet, in the form of version 1.
        changes: SQL; the n-th makes version n + 1 of version n. What has been published is never edited.
    """

    content: str
    schema: str
    changes: Sequence[str] = ()

    @property
    def version(self) -> int:
        """In the file's `user_version`; a file of a later one is left alone."""
        return 1 + len(self.changes)


def connect(path: Path | None, format: Format, seals: RowChecksums, doubted: bool = False) -> sqlite3.Connection:  # noqa: A002
    """Opens a file, made if need be, and looks it over. To be done `alone`.

    Args:
        path: The file; None: in memory only.
        format: What it holds.
        seals: Takes note of damaged rows.
        doubted: Whether to look at every row, index and text index, which takes longer.

    Raises:
        sqlite3.Error: It cannot be opened, or is damaged.
        OSError: The same.
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
        # 0.15 s for 100,000 entries; a page that is wrong would otherwise be met in the middle of an answer.
        if connection.execute(f"PRAGMA {'integrity' if doubted else 'quick'}_check(1)").fetchone() != ("ok",):
            raise _damage()
        if doubted:
            _check_text_indices(connection)
        bring_up_to_date(connection, path, format)
        empty_log(connection)  # with what an earlier process could not erase
    except UnicodeDecodeError:  # SQLite's complaint names a part of the file, in bytes that are no text any more
        connection.close()
        raise _damage() from None
    except BaseException:
        connection.close()
        raise
    return connection


def configure(connection: sqlite3.Connection, seals: RowChecksums) -> None:
    """Has commits wait for the disk and deleted rows overwritten, and gives a connection the checksums of rows.

    Args:
        connection: To a file that this program may change, whether SQLAlchemy made it or `connect`.
        seals: Takes note of damaged rows.

    Raises:
        sqlite3.Error: The file is damaged, or cannot be written.
    """
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    seals.install(connection)


def bring_up_to_date(connection: sqlite3.Connection, path: Path | None, format: Format) -> None:  # noqa: A002
    """Makes the tables of a new file, or of an older one those of today: all of it or nothing. To be done `alone`.

    Args:
        connection: To the file, outside a transaction.
        path: The file's name, for the complaint.
        format: What it holds.

    Raises:
        AgentError: `STORAGE_FAILED`: a later version of this program wrote it.
        sqlite3.Error: It is damaged, or cannot be written.
    """
    version = known_version(connection, path, format.version)
    if version == format.version:
        return
    steps = " ".join(([format.schema] if version == 0 else []) + [*format.changes[max(0, version - 1) :]])
    connection.executescript(f"BEGIN IMMEDIATE; {steps} PRAGMA user_version={format.version}; COMMIT;")


def known_version(connection: sqlite3.Connection, path: Path | None, newest: int) -> int:
    """The version of a file's form, 0 where it is new or from before forms were numbered.

    Args:
        connection: To the file.
        path: Its name, for the complaint.
        newest: What this program writes.

    Raises:
        AgentError: `STORAGE_FAILED`: a later version of this program wrote it.
        sqlite3.Error: It is damaged.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > newest:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} was written by a later version of this program.")
    return version


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that the file itself is wrong."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


def _check_text_indices(connection: sqlite3.Connection) -> None:
    """SQLite's own check leaves them out.

    Raises:
        sqlite3.DatabaseError: One is damaged.
    """
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%USING fts5%'").fetchall():
        connection.execute(f"INSERT INTO {name} ({name}) VALUES ('integrity-check')")  # noqa: S608 - a name of ours


def _damage() -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError("its pages do not fit together")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def empty_log(connection: sqlite3.Connection) -> bool:
    """Empties the log of writes; returns whether all of it is gone, which another process that reads prevents."""
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def set_aside(path: Path) -> Path:
    """Renames the file and what SQLite keeps beside it; returns its new name."""
    aside = path.with_name(f"{path.name}.damaged-{datetime.now():%Y-%m-%dT%H-%M-%S.%f}")
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.rename(f"{path}{suffix}", f"{aside}{suffix}")
    return aside


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """One process at a time opens: a second one would set aside what the first has just begun."""
    with private_lock(path.with_name(f"{path.name}.lock")):
        yield
