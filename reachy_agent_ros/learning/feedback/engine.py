"""Connections to the database of feedback: SQLite in a file, or PostgreSQL by URL; durable when they commit."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.row_seals import RowSeals

BUSY_TIMEOUT = 2.0
"""s to wait for another process that writes."""

_ANSWER_TIMEOUT = 10.0
"""s within which PostgreSQL answers, or is gone."""


def open_engine(database: Path | str, seals: RowSeals) -> Engine:
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


def _sqlite(url: URL, seals: RowSeals) -> Engine:
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # the driver would otherwise begin later than we say
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")
        seals.install(connection)

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


def file_of(database: Path | str) -> Path | None:
    """The SQLite file, None for PostgreSQL; `database` as in `open_engine`."""
    if isinstance(database, Path):
        return database
    if not database.startswith("sqlite"):
        return None
    name = make_url(database).database
    return Path(name) if name and name != ":memory:" else None
