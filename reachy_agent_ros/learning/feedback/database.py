"""Feedback database in a SQLite file or in PostgreSQL. Makes transactions durable and detects outages."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from reachy_agent_ros.core.durable_file import make_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.migrations.migrate import migrate
from reachy_agent_ros.storage.database_file import BUSY_TIMEOUT, configure, empty_log
from reachy_agent_ros.storage.row_checksums import RowChecksums

_SQLITE = ("sqlite", "sqlite+pysqlite")

_ANSWER_TIMEOUT = 10.0
"""Time after which PostgreSQL counts as unavailable if it does not respond, s."""


class DatabaseGoneError(AgentError):
    """Error `STORAGE_FAILED`: the database is unavailable.

    The current transaction may or may not be committed.

    Args:
        reason: The cause, as the end of a sentence.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(ErrorCode.STORAGE_FAILED, f"Feedback database unavailable: {reason}.")


class FeedbackDatabase:
    """Database with transactions, which only one thread may use at a time.

    Does not recreate a SQLite file that was moved while it was open.

    Args:
        database: A SQLite file, created if missing, or a PostgreSQL URL.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, as in `open_engine`; `STORAGE_FAILED` if the file cannot be created.
    """

    def __init__(self, database: Path | str) -> None:
        self._seals = RowChecksums("feedback")
        self._engine = open_engine(database, self._seals)
        self._file = file_of(database)
        self._known = 0
        if self._file:
            try:
                make_folder(self._file.parent, 0o700)
                self._file.touch(0o600)  # SQLite creates its log with the same mode
            except OSError as error:
                raise AgentError(ErrorCode.STORAGE_FAILED, f"Cannot create {self._file}: {error.strerror}.") from error

    @property
    def damage(self) -> str:
        """Sentence that lists the damaged rows that were skipped; empty if no row was damaged."""
        return self._seals.damage

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Opens a write transaction. At the end of the `with` block, the changes are on disk.

        The first transaction creates or migrates the tables.

        Raises:
            DatabaseGoneError: The database is unavailable. The transaction may or may not have been committed.
            AgentError: `STORAGE_FAILED` if a later version of this program wrote the database.
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
                raise DatabaseGoneError("another file replaced it during the transaction")
            self._known = identity

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Opens a read transaction. In SQLite, all its queries see the same state of the database.

        Raises:
            DatabaseGoneError: The database cannot be read.
            AgentError: `STORAGE_FAILED` if a later version of this program wrote the database.
        """
        if self._identity() != self._known:
            with self.writing():
                pass
        with self._told(), self._engine.connect() as connection:
            yield connection

    def empty_log(self) -> None:
        """Truncates SQLite's write-ahead log, which still contains deleted data.

        Raises:
            DatabaseGoneError: The database cannot be written.
            AgentError: `STORAGE_FAILED` if another connection is reading or writing; the log is then not truncated.
        """
        if self._file is None:
            return
        with self._told(), closing(self._engine.raw_connection()) as connection:
            emptied = empty_log(cast("sqlite3.Connection", connection.driver_connection))
        if not emptied:
            message = (
                f"The data is deleted, but the log of {self._file} still contains it, because another process is using "
                "the database. Delete the data again to empty the log."
            )
            raise AgentError(ErrorCode.STORAGE_FAILED, message)

    def close(self) -> None:
        """Closes the database connections."""
        self._engine.dispose()

    def _identity(self) -> int:
        """Returns a number that changes if another file has replaced the database."""
        if self._file is None:
            return 1
        try:
            return self._file.stat().st_ino
        except OSError as error:
            raise DatabaseGoneError(f"{self._file} is missing ({error.strerror})") from error

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error) as error:
            self._known = 0  # check the schema again before the next use
            raise DatabaseGoneError(_reason(error)) from error


def file_of(database: Path | str) -> Path | None:
    """Returns the path of the SQLite file; None for PostgreSQL. See `open_engine` for `database`.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for an invalid URL.
    """
    if isinstance(database, Path):
        return database
    if not database.startswith("sqlite"):
        return None
    with _url_checked():
        name = make_url(database).database
    return Path(name) if name and name != ":memory:" else None


def open_engine(database: Path | str, seals: RowChecksums) -> Engine:
    """Creates a database engine without connecting.

    Args:
        database: A SQLite file, or an SQLAlchemy URL (`postgresql://user@host/name`).
        seals: Row checksums, which record the damaged rows of a SQLite file.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for an invalid URL, an unsupported database, or a driver that is not installed.
    """
    if isinstance(database, Path):
        return _sqlite(URL.create("sqlite", database=str(database)), seals)
    with _url_checked():
        url = make_url(database)
        if url.drivername in _SQLITE and url.database and url.database != ":memory:":
            return _sqlite(url, seals)
        if url.get_backend_name() == "postgresql":
            return _postgresql(url.set(drivername="postgresql+psycopg"))
    raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Unsupported database: expected a SQLite file or PostgreSQL.")


@contextmanager
def _url_checked() -> Iterator[None]:
    """Converts the errors that SQLAlchemy raises for an invalid URL."""
    try:
        yield
    except (ArgumentError, ValueError):
        # The error does not quote the URL, which may contain a password.
        message = (
            "Invalid database URL: expected a URL such as sqlite:////folder/name.db or postgresql://user@host/name."
        )
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from None


def _sqlite(url: URL, seals: RowChecksums) -> Engine:
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # otherwise the driver delays BEGIN
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
            ErrorCode.INVALID_ARGUMENTS, "PostgreSQL requires a driver: pip install 'psycopg[binary]'."
        ) from None


def _reason(error: SQLAlchemyError | sqlite3.Error) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(cause).strip().split("\n")[0].rstrip(".")
