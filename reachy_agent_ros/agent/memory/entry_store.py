"""Entries in the file and their vectors in memory, changed together."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from reachy_agent_ros.agent.memory.embedder import Vectors
from reachy_agent_ros.agent.memory.entry import ALL_KINDS, EntryKind, MemoryEntry, RecalledEntry
from reachy_agent_ros.agent.memory.entry_table import FORMAT, EntryTable
from reachy_agent_ros.agent.memory.search import search, search_words
from reachy_agent_ros.agent.memory.vector_index import LiveIndex, VectorIndex
from reachy_agent_ros.storage.database import Database

Choice = Callable[[EntryTable], list[int]]
"""Numbers of the entries that are to go; it may change the table of files in the same transaction."""


@dataclass(frozen=True)
class Forgotten:
    """What was forgotten.

    Attributes:
        count: Entries.
        erased: Whether no byte of them is left in the file; false while another process reads it, and then they go
            when it is opened next.
    """

    count: int
    erased: bool


class EntryStore:
    """One file of entries. Its errors are those of `storage.database.Database`.

    Args:
        path: The file; its folder is made if need be.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, FORMAT)
        self._index = LiveIndex(self._database)

    @property
    def set_aside(self) -> Path | None:
        """Where a damaged file was set aside; None where there was none."""
        return self._database.set_aside

    @property
    def damage(self) -> str:
        """What of the file was found damaged, for people; empty where nothing was."""
        return self._database.damage

    @contextmanager
    def reading(self) -> Iterator[EntryTable]:
        """The entries, to be read; nobody else in this process uses the file meanwhile."""
        with self._database.reading() as connection:
            yield EntryTable(connection)

    def search(self, query: str, vector: Vectors, kinds: Sequence[EntryKind], limit: int) -> list[RecalledEntry]:
        """The entries that answer a query of this vector best, the best first."""
        with self._database.reading() as connection, _snapshot(connection):
            return search(connection, self._index.current(connection), query, vector, kinds, limit)

    def search_words(self, query: str, kinds: Sequence[EntryKind], limit: int) -> list[tuple[MemoryEntry, float]]:
        """The entries with a query's words, the best first, with their scores, 0 to 1."""
        with self._database.reading() as connection, _snapshot(connection):
            table = EntryTable(connection)
            scores = search_words(connection, query, kinds, table.count(), limit)
            entries = table.by_number(scores)
            return [(entries[identity], score) for identity, score in scores.items() if identity in entries]

    def add(self, entries: Sequence[MemoryEntry], vectors: Vectors, outdated: Choice) -> list[MemoryEntry]:
        """Stores entries instead of outdated ones, all or nothing, and returns them with their numbers."""
        with self._database.reading() as connection:
            table, index = EntryTable(connection), self._current(connection)
            with self._database.writing():
                gone = outdated(table)
                table.remove(gone)
                numbers = [table.add(entry, vector) for entry, vector in zip(entries, vectors, strict=True)]
                _erase(table, gone)
            index.remove(gone)
            index.add(numbers, [ALL_KINDS.index(entry.kind) for entry in entries], vectors)
            if gone:
                self._database.erase()
        return [replace(entry, identity=number) for entry, number in zip(entries, numbers, strict=True)]

    def remove(self, chosen: Choice) -> Forgotten:
        """Removes entries so that they are gone from the disk."""
        with self._database.reading() as connection:
            index = self._current(connection)
            with self._database.writing():
                table = EntryTable(connection)
                gone = chosen(table)
                table.remove(gone)
                _erase(table, gone)
            index.remove(gone)
            return Forgotten(len(gone), self._database.erase())

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def _current(self, connection: sqlite3.Connection) -> VectorIndex:
        with _snapshot(connection):
            return self._index.current(connection)


@contextmanager
def _snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """What is read within is as it was at the beginning, whatever another process forgets meanwhile.

    Args:
        connection: To the file, outside a transaction.
    """
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:  # SQLite ends it by itself where the file is damaged
            connection.execute("ROLLBACK")


def _erase(table: EntryTable, gone: list[int]) -> None:
    """In the transaction of their removal: otherwise words would stay readable if the file were busy afterwards."""
    if gone:
        table.erase_words()
