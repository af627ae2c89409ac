"""Migrates the feedback database. Checks its revision, and runs Alembic if the revision is not the newest."""

from __future__ import annotations

import threading
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from reachy_agent_ros.core.errors import AgentError, ErrorCode

NEWEST = 3
"""Number of the newest revision in `versions`."""

SCRIPTS = Path(__file__).parent

_LOCK = 0x72656163
"""Key of the PostgreSQL advisory lock that prevents simultaneous migrations."""

_alone = threading.Lock()
"""`alembic.op` and `alembic.context` are global to the process, so only one thread at a time may use them."""


def migrate(connection: Connection) -> None:
    """Creates the tables, or migrates tables of an earlier revision.

    Args:
        connection: Connection in an exclusive write transaction, which makes the migration atomic.

    Raises:
        AgentError: `STORAGE_FAILED` if a later version of this program wrote the tables.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    before_alembic = _number(connection, "schema_version", "version")
    revision = _number(connection, "alembic_version", "version_num")
    known = revision or before_alembic
    if known > NEWEST:
        raise AgentError(
            ErrorCode.STORAGE_FAILED,
            f"The feedback was written by a later version of this program: revision {known}, newest known is {NEWEST}.",
        )
    if known < NEWEST:
        with _alone:
            _upgrade(connection, 0 if revision else before_alembic)


def _upgrade(connection: Connection, before_alembic: int) -> None:
    # Imported only if needed: the import takes 0.3 s of processor time and 20 MB.
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("path_separator", "os")
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))  # configparser expands %
    if before_alembic:
        command.stamp(config, str(before_alembic))
    command.upgrade(config, "head")


def _number(connection: Connection, table: str, column: str) -> int:
    """Returns the revision stored in a table, or 0 if the table does not exist."""
    if not inspect(connection).has_table(table):
        return 0
    return int(connection.execute(text(f"SELECT {column} FROM {table}")).scalar_one())  # noqa: S608 - constant names
