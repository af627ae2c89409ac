"""Table of records in a database, each with a number and a checksum."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from reachy_agent_ros.storage.row_checksums import is_sound, seal_of

_log = logging.getLogger(__name__)


RecordT = TypeVar("RecordT", bound=Any)


class NumberedRecords(Generic[RecordT]):
    """Records in a table with the columns `id`, one for the record as JSON, and `seal`. Use it in a transaction.

    Args:
        table: Name of the table.
        column: Name of the column for the record, which also names a record in error messages.
        kind: Frozen dataclass of the records. Its field `identity` is the number of a record, 0 before it is stored.
    """

    def __init__(self, table: str, column: str, kind: type[RecordT]) -> None:
        self._column = column
        self._json: TypeAdapter[RecordT] = TypeAdapter(kind)
        sound, seal = is_sound(f"'{column} ' || id", "id", column), seal_of("?1", "?2")
        # Only the constants of our own stores become part of the statements.
        self._load = f"SELECT id, {column} FROM {table} WHERE {sound} ORDER BY id"  # noqa: S608
        self._add = f"INSERT INTO {table} ({column}) VALUES ('')"  # noqa: S608
        self._replace = f"UPDATE {table} SET {column} = ?2, seal = {seal} WHERE id = ?1"  # noqa: S608
        self._restore = f"INSERT OR REPLACE INTO {table} VALUES (?1, ?2, {seal})"  # noqa: S608
        self._remove = f"DELETE FROM {table} WHERE id = ?"  # noqa: S608

    def load(self, connection: sqlite3.Connection) -> list[RecordT]:
        """Returns all records in the order of their numbers. Logs and skips unreadable ones."""
        rows = connection.execute(self._load).fetchall()
        return [record for identity, text in rows if (record := self.read(identity, text)) is not None]

    def add(self, connection: sqlite3.Connection, record: RecordT) -> RecordT:
        """Stores a new record. Returns it with its number, which its checksum covers."""
        stored: RecordT = replace(record, identity=connection.execute(self._add).lastrowid or 0)
        self.replace(connection, [stored])
        return stored

    def replace(self, connection: sqlite3.Connection, records: Iterable[RecordT]) -> None:
        """Stores changed records. Ignores those that do not exist."""
        connection.executemany(self._replace, [(record.identity, self.text(record)) for record in records])

    def restore(self, connection: sqlite3.Connection, records: Iterable[RecordT]) -> None:
        """Stores records with their numbers, whether they still exist or not."""
        connection.executemany(self._restore, [(record.identity, self.text(record)) for record in records])

    def remove(self, connection: sqlite3.Connection, identities: Iterable[int]) -> None:
        """Deletes records."""
        connection.executemany(self._remove, [(identity,) for identity in identities])

    def text(self, record: RecordT) -> str:
        """Returns a record as JSON, without its number."""
        return self._json.dump_json(record, exclude={"identity"}).decode()

    def read(self, identity: int, text: str) -> RecordT | None:
        """Reads a record from JSON. Logs an error and returns None if that is impossible."""
        try:
            record: RecordT = replace(self._json.validate_json(text), identity=identity)
        except ValidationError as error:
            _log.error("The %s %d cannot be read: %s", self._column, identity, error)
            return None
        return record
