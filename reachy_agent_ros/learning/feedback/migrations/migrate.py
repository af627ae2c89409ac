"""Brings the feedback database up to date: looks at its revision, and runs Alembic where that is an earlier one."""

from __future__ import annotations

import threading
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from reachy_agent_ros.core.errors import AgentError, ErrorCode

NEWEST = 3
"""Number of the last revision in `versions`."""

SCRIPTS = Path(__file__).parent

_LOCK = 0x72656163
"""PostgreSQL's advisory lock for those who open at the same moment."""

_alone = threading.Lock()
"""`alembic.op` and `alembic.context` belong to the whole process, so that only one thread at a time may use them."""


def migrate(connection: Connection) -> None:
    """Makes the tables, or brings those of an earlier revision up to date.

    Args:
        connection: In a transaction, which nobody else may write beside: all of it is done or nothing.

    Raises:
        AgentError: `STORAGE_FAILED`: a later version of this program wrote them.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    before_alembic = _number(connection, "schema_version", "version")
    revision = _number(connection, "alembic_version", "version_num")
    known = revision or before_alembic
    if known > NEWEST:
        raise AgentError(
            ErrorCode.STORAGE_FAILED,
            f"The feedback was written by a later version of this program: it has form {known}, known is {NEWEST}.",
        )
    if known < NEWEST:
        with _alone:
            _upgrade(connection, 0 if revision else before_alembic)


def _upgrade(connection: Connection, before_alembic: int) -> None:
    # Imported only where there is something to do: it takes 0.3 s of processor time and 20 MB.
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("path_separator", "os")
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))  # else a format of its parser
    if before_alembic:
        command.stamp(config, str(before_alembic))
    command.upgrade(config, "head")


def _number(connection: Connection, table: str, column: str) -> int:
    """The revision that a table names; 0 where there is no such table."""
    if not inspect(connection).has_table(table):
        return 0
    return int(connection.execute(text(f"SELECT {column} FROM {table}")).scalar_one())  # noqa: S608 - names of ours
