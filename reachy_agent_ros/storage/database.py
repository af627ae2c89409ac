"""SQLite database with integrity checks, durable transactions and secure deletion."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.durable_file import make_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.database_file import Format as Format
from reachy_agent_ros.storage.database_file import alone, connect, empty_log, is_damage, set_aside
from reachy_agent_ros.storage.row_checksums import RowChecksums

PATIENCE = 15.0
"""Time that a durable write waits while another process is writing, s."""

_BREATH = 0.02
"""Pause between two attempts, s. Without it, other threads would never get the lock."""

_log = logging.getLogger(__name__)
_REASONS = {
    sqlite3.SQLITE_BUSY: "another process is writing to it",
    sqlite3.SQLITE_LOCKED: "another process is writing to it",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
}


class Database:
    """SQLite database file that several threads and processes can share.

    A damaged file is renamed, never deleted, and replaced with a new one.

    Args:
        path: Database file; its folder is created if needed.
        format: Content and schema of the file.
        patience: Time that a write waits while another process is writing, s; `PATIENCE` if None.

    Attributes:
        set_aside: Path of the most recently renamed damaged file; None if no file was renamed.
        opened: Number of times that the file was opened. Data read before the last opening may be stale.

    Raises:
        AgentError: `STORAGE_FAILED`: the file cannot be opened, or a later version of this program wrote it.
    """

    def __init__(self, path: Path, format: Format, patience: float | None = None) -> None:  # noqa: A002 - the file's
        self._path = path
        self._format = format
        self._patience = patience
        self._lock = threading.RLock()
        self._seals = RowChecksums(format.content)
        self.set_aside: Path | None = None
        self.opened = 0
        self._connection = self._open()

    @property
    def damage(self) -> str:
        """Human-readable description of damage found in the file; empty if none was found."""
        aside = f"The {self._format.content} file was damaged. It is kept as {self.set_aside}; a new one was started."
        return " ".join(filter(None, (aside if self.set_aside else "", self._seals.damage)))

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yields a connection for reading. Other threads of this process wait until the connection is released.

        Raises:
            AgentError: `STORAGE_FAILED`: the file cannot be read.
        """
        with self._lock:
            self._follow()
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise self._failure(error) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yields a connection with a transaction.

        At the end of the block, the transaction is synced to disk. It is rolled back if the block fails.

        While another process is writing, this one waits, and other threads of this process can read.

        Raises:
            AgentError: `STORAGE_FAILED`: the file cannot be written.
        """
        with self._turn() as connection:
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def erase(self) -> bool:
        """Empties the write-ahead log, which contains earlier versions of the data.

        In the database file itself, SQLite zeroes deleted rows (`secure_delete`).

        Returns:
            Whether the log is empty. False while another process is reading or writing; the log is then emptied when
            the file is next opened.
        """
        with self.reading() as connection:
            return empty_log(connection)

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _turn(self) -> Iterator[sqlite3.Connection]:
        """Yields a connection with a write transaction."""
        deadline = Deadline(PATIENCE if self._patience is None else self._patience)
        while True:
            with self.reading() as connection:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or deadline.passed:
                        raise
                else:
                    yield connection
                    return
            time.sleep(_BREATH)

    def _open(self, doubted: bool = False) -> sqlite3.Connection:
        try:
            make_folder(self._path.parent)
            with alone(self._path):
                try:
                    connection = connect(self._path, self._format, self._seals, doubted)
                except sqlite3.DatabaseError as error:
                    if not is_damage(error):
                        raise
                    self.set_aside = set_aside(self._path)
                    self._seals = RowChecksums(self._format.content)
                    _log.warning("%s is damaged. It is kept as %s; a new one was started.", self._path, self.set_aside)
                    connection = connect(self._path, self._format, self._seals)
        except (sqlite3.Error, OSError) as error:
            raise self._refusal(error) from error
        self._inode = self._path.stat().st_ino
        self.opened += 1
        return connection

    def _follow(self) -> None:
        """Reopens the file if another process has renamed it after damage. Writes to the old file would be lost."""
        with suppress(FileNotFoundError):
            if self._path.stat().st_ino == self._inode:
                return
        self._connection.close()
        self._connection = self._open()

    def _failure(self, error: sqlite3.Error) -> AgentError:
        """Converts a database error to an `AgentError`. If the error reports damage, first checks the complete file.

        SQLite has reported a sound file as damaged (see `EntryTable.erase_words`), so a file is set aside only if the
        full check confirms the damage.
        """
        if not is_damage(error):
            return self._refusal(error)
        _log.warning("%s: %s. Checking the whole file.", self._path, error)
        before = self.set_aside
        self._connection.close()
        self._connection = self._open(doubted=True)
        if self.set_aside != before:
            return AgentError(ErrorCode.STORAGE_FAILED, self.damage)
        return self._refusal(error)

    def _refusal(self, error: Exception) -> AgentError:
        reason = _REASONS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, str(error))
        return AgentError(ErrorCode.STORAGE_FAILED, f"The {self._format.content} cannot be used: {reason}.")
