"""Database of feedback: connections to SQLite in a file or PostgreSQL by URL, and transactions.

A commit is durable. The database may be there or gone at any moment.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from reachy_agent_ros.core.durable_file import make_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.migrations.migrate import migrate
from reachy_agent_ros.storage.database_file import BUSY_TIMEOUT, configure
from reachy_agent_ros.storage.row_checksums import RowChecksums

_ANSWER_TIMEOUT = 10.0
"""s within which PostgreSQL answers, or is gone."""


class DatabaseGoneError(AgentError):
    """`STORAGE_FAILED`: it cannot be used now; a transaction that was under way may have been committed or not.

    Args:
        reason: End of a sentence.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(ErrorCode.STORAGE_FAILED, f"The feedback cannot be used: {reason}.")


class FeedbackDatabase:
    """Transactions, of one thread at a time. A SQLite file that is moved away while it is open is gone, not made anew.

    Args:
        database: A SQLite file, made if need be, or a URL of PostgreSQL.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for a URL that is none; `STORAGE_FAILED` for a file that cannot be made.
    """

    def __init__(self, database: Path | str) -> None:
        self._seals = RowChecksums("feedback")
        self._engine = open_engine(database, self._seals)
        self._file = file_of(database)
        self._known = 0
        if self._file:
            try:
                make_folder(self._file.parent, 0o700)
                self._file.touch(0o600)  # SQLite gives its log the same mode
            except OSError as error:
                raise AgentError(ErrorCode.STORAGE_FAILED, f"{self._file} cannot be made: {error.strerror}.") from error

    @property
    def damage(self) -> str:
        """Which rows were found damaged and left out, one sentence for people; empty where none were."""
        return self._seals.damage

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: on disk when the block ends. The first one makes the tables, or brings them up to date.

        Raises:
            DatabaseGoneError: Then the block's work may be done or not.
            AgentError: `STORAGE_FAILED`: a later version of this program wrote it.
        """
        with self._told():
            identity = self._identity()
            fresh = identity != self._known
            if fresh:
                self._engine.dispose()
            with self._engine.connect().execution_options(writes=True) as connection, connection.begin():
                if fresh:
                    migrate(connection)
                yield connection
            if self._identity() != identity:
                raise DatabaseGoneError("another file took its place meanwhile")
            self._known = identity

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state.

        Raises:
            DatabaseGoneError: It cannot be read.
            AgentError: `STORAGE_FAILED`: a later version of this program wrote it.
        """
        if self._identity() != self._known:
            with self.writing():
                pass
        with self._told(), self._engine.connect() as connection:
            yield connection

    def empty_log(self) -> None:
        """Empties SQLite's log of writes, which keeps pages as they were.

        Raises:
            DatabaseGoneError: It cannot be written.
        """
        if self._file:
            with self._told():
                connection = self._engine.raw_connection()
                try:
                    connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
                finally:
                    connection.close()

    def close(self) -> None:
        """Closes the connections."""
        self._engine.dispose()

    def _identity(self) -> int:
        """What is another number for another file."""
        if self._file is None:
            return 1
        try:
            return self._file.stat().st_ino
        except OSError as error:
            raise DatabaseGoneError(f"{self._file} is away ({error.strerror})") from error

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            self._known = 0  # whatever is there afterwards is looked at first
            raise DatabaseGoneError(_reason(error)) from error


def file_of(database: Path | str) -> Path | None:
    """The SQLite file, None for PostgreSQL; `database` as in `open_engine`."""
    if isinstance(database, Path):
        return database
    if not database.startswith("sqlite"):
        return None
    name = make_url(database).database
    return Path(name) if name and name != ":memory:" else None


def open_engine(database: Path | str, seals: RowChecksums) -> Engine:
    """Prepares connections; none is made yet.

    Args:
        database: A SQLite file, or an SQLAlchemy URL (`postgresql://user@host/name`).
        seals: Takes note of rows of a SQLite file that are damaged.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: a URL that is none, of another database, or whose driver is not installed.
    """
    if isinstance(database, Path):
        return _sqlite(URL.create("sqlite", database=str(database)), seals)
    try:
        url = make_url(database)
    except ArgumentError:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "The database's URL is none.") from None  # it may hold a password
    kind = url.get_backend_name()
    if kind == "sqlite" and url.database and url.database != ":memory:":
        return _sqlite(url, seals)
    if kind == "postgresql":
        return _postgresql(url.set(drivername="postgresql+psycopg"))
    raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Feedback is kept in a SQLite file or in PostgreSQL.")


def _sqlite(url: URL, seals: RowChecksums) -> Engine:
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # the driver would otherwise begin later than we say
        configure(connection, seals)

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")

    return engine


def _postgresql(url: URL) -> Engine:
    milliseconds = int(1000 * _ANSWER_TIMEOUT)
    try:
        return create_engine(
            url,
            pool_pre_ping=True,
            connect_args={
                "connect_timeout": 3,
                "tcp_user_timeout": milliseconds,
                "options": f"-c synchronous_commit=on -c statement_timeout={milliseconds}",
            },
        )
    except ModuleNotFoundError:
        raise AgentError(
            ErrorCode.INVALID_ARGUMENTS, "PostgreSQL needs a driver: pip install 'psycopg[binary]'."
        ) from None


def _reason(error: SQLAlchemyError) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(cause).strip().split("\n")[0].rstrip(".")
