"""The tables of feedback, alike in SQLite and PostgreSQL, and how an older file becomes a newer one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Double,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    inspect,
    select,
    text,
)

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.seals import seal_tables

METADATA = MetaData()

ACTS = Table(
    "acts",
    METADATA,
    Column("act_id", String(36), primary_key=True),
    Column("turn_id", String(36), index=True),
    Column("skill", Text, nullable=False),
    Column("context", JSON, nullable=False),
    Column("action", JSON, nullable=False),
    Column("probability", Double, nullable=False),
    Column("policy_version", Text, nullable=False),
    Column("began", Double, nullable=False, index=True),
)

OUTCOMES = Table(
    "outcomes",
    METADATA,
    Column("act_id", String(36), primary_key=True),
    Column("ended", Double, nullable=False),
    Column("outcome", JSON, nullable=False),
)

JUDGEMENTS = Table(
    "judgements",
    METADATA,
    Column("feedback_id", String(36), primary_key=True),
    Column("source", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("given", Double, nullable=False, index=True),
    Column("turn_id", String(36)),
    Column("rating", Double),
    Column("person", Text, nullable=False, index=True),
)

REWARDS = Table(
    "rewards",
    METADATA,
    Column("feedback_id", String(36), primary_key=True),
    Column("act_id", String(36), primary_key=True),
    Column("weight", Double, nullable=False),
    Column("sign", Integer, nullable=False),
    Column("rating", Double, nullable=False),
    Column("confidence", Double, nullable=False),
    Column("axes", JSON, nullable=False),
    Column("stop", Boolean, nullable=False),
    Column("policy_version", Text, nullable=False),
    Index("rewards_by_act", "act_id"),
)

POLICIES = Table(
    "policy_versions",
    METADATA,
    Column("skill", Text, primary_key=True),
    Column("version", Text, primary_key=True),
    Column("first_acted", Double, nullable=False),
)

TABLES = (ACTS, OUTCOMES, JUDGEMENTS, REWARDS, POLICIES)
"""In the order in which rows of them refer to one another."""

_VERSION = Table("schema_version", METADATA, Column("version", Integer, nullable=False))

Migration = Callable[[Connection], None]

MIGRATIONS: Sequence[Migration] = (lambda connection: seal_tables(connection, *TABLES),)
"""The n-th makes version n + 1 of version n. What has been published is never edited."""

_LOCK = 0x72656163
"""PostgreSQL's advisory lock for those who open at the same moment."""


def migrate(connection: Connection) -> None:
    """Makes the tables, or brings those of an older version up to date.

    Args:
        connection: In a transaction, which nobody else may write beside: all of it is done or nothing.

    Raises:
        AgentError: `STORAGE_FAILED`: a later version of this program wrote them.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    newest = 1 + len(MIGRATIONS)
    if not inspect(connection).has_table(_VERSION.name):
        METADATA.create_all(connection)
        connection.execute(_VERSION.insert().values(version=1))
    version = connection.execute(select(_VERSION.c.version)).scalar_one()
    if version > newest:
        raise AgentError(
            ErrorCode.STORAGE_FAILED,
            f"The feedback was written by a later version of this program: it has form {version}, known is {newest}.",
        )
    for step in MIGRATIONS[version - 1 :]:
        step(connection)
    connection.execute(_VERSION.update().values(version=newest))
