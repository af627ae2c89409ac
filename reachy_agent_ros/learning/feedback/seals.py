"""Check sums of the rows in a SQLite file of feedback; PostgreSQL keeps its own, of whole pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, FromClause, Join, Select, Table, text

from reachy_agent_ros.storage.row_seals import is_sound, seal_of, sealing


def seal_tables(connection: Connection, *tables: Table) -> None:
    """Gives tables without seals a seal for each row."""
    if _sealed(connection):
        for table in tables:
            for statement in sealing(table.name, *_columns(table)).split(";"):
                connection.exec_driver_sql(statement)


def seal_row(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Seals a row that was just added, as it was stored."""
    if _sealed(connection):
        keys = [column.name for column in table.primary_key]
        same = " AND ".join(f"{key} = :{key}" for key in keys)
        statement = f"UPDATE {table.name} SET seal = {seal_of(*_columns(table))} WHERE {same} AND seal IS NULL"  # noqa: S608 - names of ours
        connection.execute(text(statement), {key: values[key] for key in keys})


def only_sound(connection: Connection, query: Select[Any]) -> Select[Any]:
    """The query without the rows that were changed on the disk."""
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
    """SQL; a row that an outer join did not find is sound."""
    key, columns = str(next(iter(table.primary_key))), map(str, table.c)
    name = key.partition(".")[0]  # of the table, or of its alias
    sound = is_sound(f"'{name} ' || {key}", *columns, seal=f"{name}.seal")
    return f"({key} IS NULL OR {sound})"
