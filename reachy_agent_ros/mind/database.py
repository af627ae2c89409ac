"""A file of what a person must not lose: checked, written as a whole or not at all, emptied of what was deleted."""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode

BUSY_TIMEOUT = 2.0
"""Seconds to wait for another process that writes."""

_log = logging.getLogger(__name__)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_REASONS = {
    sqlite3.SQLITE_BUSY: "another process is writing to it",
    sqlite3.SQLITE_LOCKED: "another process is writing to it",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it may not be written to",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
}


@dataclass(frozen=True)
class Format:
    """What a file holds.

    Attributes:
        content: What a person calls it, for complaints: "memory".
        schema: SQL that makes what is not there yet.
        version: In the file's `user_version`; a file of a later one is left alone.
    """

    content: str
    schema: str
    version: int


class Database:
    """One SQLite file for several threads and processes.

    A damaged file is renamed, never deleted, and a new one begun.

    Args:
        path: The file; its folder is made if need be.
        format: What it holds.

    Attributes:
        set_aside: Where the damaged file lies that was found there last; None if none was.
        opened: How often the file was opened; what was read before the last time may not hold.

    Raises:
        AgentError: `STORAGE_FAILED`: it cannot be opened, or a later version of this program wrote it.
    """

    def __init__(self, path: Path, format: Format) -> None:  # noqa: A002 - the file's
        self._path = path
        self._format = format
        self._lock = threading.RLock()
        self.set_aside: Path | None = None
        self.opened = 0
        self._connection = self._open()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, to read; nobody else in this process uses it meanwhile.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._lock:
            self._follow()
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise self._failure(error) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The connection, to write: on disk when the block ends, unchanged if it fails.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def erase(self) -> bool:
        """Empties the log of writes, which keeps pages as they were.

        In the file itself SQLite zeroes deleted rows (`secure_delete`).

        Returns:
            Whether all of it is gone. False while another process reads; then it goes at the next opening.
        """
        with self.reading() as connection:
            return _empty_log(connection)

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()

    def _open(self) -> sqlite3.Connection:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with _alone(self._path):
                try:
                    connection = _connect(self._path, self._format)
                except sqlite3.DatabaseError as error:
                    if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                        raise
                    self.set_aside = _rename(self._path)
                    _log.warning("%s is damaged. It is kept as %s; a new one is begun.", self._path, self.set_aside)
                    connection = _connect(self._path, self._format)
        except (sqlite3.Error, OSError) as error:
            raise self._refusal(error) from error
        self._inode = self._path.stat().st_ino
        self.opened += 1
        return connection

    def _follow(self) -> None:
        """Opens the file again where another process has set ours aside: nobody would read what we wrote there."""
        with suppress(FileNotFoundError):
            if self._path.stat().st_ino == self._inode:
                return
        self._connection.close()
        self._connection = self._open()

    def _failure(self, error: sqlite3.Error) -> AgentError:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
            return self._refusal(error)
        self._connection.close()
        with _alone(self._path), suppress(FileNotFoundError):
            if self._path.stat().st_ino == self._inode:
                self.set_aside = _rename(self._path)
        self._connection = self._open()
        return AgentError(
            ErrorCode.STORAGE_FAILED,
            f"The {self._format.content} file was damaged. It is kept as {self.set_aside}; a new one is begun.",
        )

    def _refusal(self, error: Exception) -> AgentError:
        reason = _REASONS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, str(error))
        return AgentError(ErrorCode.STORAGE_FAILED, f"The {self._format.content} cannot be used: {reason}.")


def _connect(path: Path, format: Format) -> sqlite3.Connection:  # noqa: A002 - the file's
    path.touch(0o600)  # SQLite gives its log the same mode
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > format.version:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} was written by a later version of this program.")
        # 0.15 s for 100,000 entries; a page that is wrong would otherwise be met in the middle of an answer.
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise _damage()
        if version < format.version:
            connection.executescript(f"BEGIN IMMEDIATE; {format.schema} PRAGMA user_version={format.version}; COMMIT;")
        _empty_log(connection)  # with what an earlier process could not erase
    except BaseException:
        connection.close()
        raise
    return connection


def _damage() -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError("its pages do not fit together")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _empty_log(connection: sqlite3.Connection) -> bool:
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def _rename(path: Path) -> Path:
    """Renames the file and what SQLite keeps beside it."""
    aside = path.with_name(f"{path.name}.damaged-{datetime.now():%Y-%m-%dT%H-%M-%S.%f}")
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.rename(f"{path}{suffix}", f"{aside}{suffix}")
    return aside


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One process at a time opens: a second one would set aside what the first has just begun."""
    key = path.with_name(f"{path.name}.lock")
    key.touch(0o600)
    with key.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
