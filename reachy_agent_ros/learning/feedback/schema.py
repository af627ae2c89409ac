"""Feedback database schema: tables, created by `migrations`, and row checksums.

The tables are the same in SQLite and PostgreSQL. Rows in a SQLite file also have checksums, called seals. PostgreSQL
does not need them, because it has page checksums.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Double,
    FromClause,
    Index,
    Integer,
    Join,
    MetaData,
    Select,
    String,
    Table,
    Text,
    text,
)

from reachy_agent_ros.storage.row_checksums import is_sound, seal_of

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

JUDGMENTS = Table(
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

TABLES = (ACTS, OUTCOMES, JUDGMENTS, REWARDS, POLICIES)
"""Tables in the order of an export: judgments and rewards come after the actions that they refer to."""


def seal_row(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Stores the checksum of a newly inserted row."""
    if _sealed(connection):
        keys = [column.name for column in table.primary_key]
        same = " AND ".join(f"{key} = :{key}" for key in keys)
        statement = f"UPDATE {table.name} SET seal = {seal_of(*_columns(table))} WHERE {same} AND seal IS NULL"  # noqa: S608 - constant names
        connection.execute(text(statement), {key: values[key] for key in keys})


def only_sound(connection: Connection, query: Select[Any]) -> Select[Any]:
    """Restricts a query to rows with a valid checksum or without a checksum."""
    if _sealed(connection):
        for table in (found for source in query.get_final_froms() for found in _tables(source)):
            query = query.where(text(_is_sound(table)))
    return query


def _columns(table: Table) -> list[str]:
    return [column.name for column in table.c]


def _sealed(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


def _tables(source: FromClause) -> Iterator[FromClause]:
    if isinstance(source, Join):
        yield from _tables(source.left)
        yield from _tables(source.right)
    else:
        yield source


def _is_sound(table: FromClause) -> str:
    """Returns the SQL condition for a valid or missing checksum. The NULL row of an outer join also meets it."""
    key, columns = str(next(iter(table.primary_key))), map(str, table.c)
    name = key.partition(".")[0]  # name of the table or of its alias
    sound = is_sound(f"'{name} ' || {key}", *columns, seal=f"{name}.seal")
    return f"({key} IS NULL OR {sound})"
