"""A file of what a person must not lose: checked, written as a whole or not at all, emptied of what was deleted."""

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
"""Seconds that what a person must not lose waits while another process writes."""

_BREATH = 0.02
"""Seconds between two attempts, in which others get at the file: a lock that is taken again at once is never theirs."""

_log = logging.getLogger(__name__)
_REASONS = {
    sqlite3.SQLITE_BUSY: "another process is writing to it",
    sqlite3.SQLITE_LOCKED: "another process is writing to it",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it may not be written to",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
}


class Database:
    """One SQLite file for several threads and processes.

    A damaged file is renamed, never deleted, and a new one begun.

    Args:
        path: The file; its folder is made if need be.
        format: What it holds.
        patience: Seconds that what is to be stored waits while another process writes; `PATIENCE` where None.

    Attributes:
        set_aside: Where the damaged file lies that was found there last; None if none was.
        opened: How often the file was opened; what was read before the last time may not hold.

    Raises:
        AgentError: `STORAGE_FAILED`: it cannot be opened, or a later version of this program wrote it.
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
        """What of the file was found damaged, for people; empty where nothing was."""
        aside = f"The {self._format.content} file was damaged. It is kept as {self.set_aside}; a new one is begun."
        return " ".join(filter(None, (aside if self.set_aside else "", self._seals.damage)))

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

        While another process writes it waits its turn, and others of this process read meanwhile.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._turn() as connection:
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
            return empty_log(connection)

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _turn(self) -> Iterator[sqlite3.Connection]:
        """The connection with a transaction that may write."""
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
                    _log.warning("%s is damaged. It is kept as %s; a new one is begun.", self._path, self.set_aside)
                    connection = connect(self._path, self._format, self._seals)
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
        """What to say of an error.

        SQLite has called a sound file damaged (see `EntryTable.erase_words`). So one is set aside only if it still is
        when all of it is looked over anew.
        """
        if not is_damage(error):
            return self._refusal(error)
        _log.warning("%s: %s. All of it is looked over.", self._path, error)
        before = self.set_aside
        self._connection.close()
        self._connection = self._open(doubted=True)
        if self.set_aside != before:
            return AgentError(ErrorCode.STORAGE_FAILED, self.damage)
        return self._refusal(error)

    def _refusal(self, error: Exception) -> AgentError:
        reason = _REASONS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, str(error))
        return AgentError(ErrorCode.STORAGE_FAILED, f"The {self._format.content} cannot be used: {reason}.")
