"""Store of memory entries that keeps the file and its in-memory vector index consistent."""

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
"""Function that returns the numbers of entries to remove. May change the table of files in the same transaction."""


@dataclass(frozen=True)
class Forgotten:
    """Result of removing entries.

    Attributes:
        count: Number of removed entries.
        erased: Whether the file no longer contains any byte of the entries. False while another process reads the file;
            the bytes are then erased when the file is next opened.
    """

    count: int
    erased: bool


class EntryStore:
    """Store of entries in one file. The methods raise the errors of `storage.database.Database`.

    Args:
        path: Path of the file, whose folder is created if necessary.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, FORMAT)
        self._index = LiveIndex(self._database)
        self._read_earlier_facts()

    @property
    def set_aside(self) -> Path | None:
        """Path to which a damaged file was moved; None if the file was not damaged."""
        return self._database.set_aside

    @property
    def damage(self) -> str:
        """Readable description of damage in the file; empty if the file is not damaged."""
        return self._database.damage

    @contextmanager
    def reading(self) -> Iterator[EntryTable]:
        """Opens the entries for reading. Other threads of this process must wait for the file."""
        with self._database.reading() as connection:
            yield EntryTable(connection)

    def search(self, query: str, vector: Vectors, kinds: Sequence[EntryKind], limit: int) -> list[RecalledEntry]:
        """Returns the entries that best answer a query with the given vector; see `search`."""
        with self._database.reading() as connection, _snapshot(connection):
            return search(connection, self._index.current(connection), query, vector, kinds, limit)

    def search_words(self, query: str, kinds: Sequence[EntryKind], limit: int) -> list[tuple[MemoryEntry, float]]:
        """Returns the entries that contain words of a query, each with its score (0 to 1), best first."""
        with self._database.reading() as connection, _snapshot(connection):
            table = EntryTable(connection)
            scores = search_words(connection, query, kinds, table.count(), limit)
            entries = table.by_number(scores)
            return [(entries[identity], score) for identity, score in scores.items() if identity in entries]

    def add(self, entries: Sequence[MemoryEntry], vectors: Vectors, outdated: Choice) -> list[MemoryEntry]:
        """Adds entries and removes outdated ones in one transaction. Returns the new entries with their numbers."""
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
        """Removes entries and erases them from the disk."""
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
        """Closes the memory file."""
        self._database.close()

    def _read_earlier_facts(self) -> None:
        """Adds the statements of facts that a version without statements has stored."""
        with self.reading() as table:
            unread = table.knowledge.unread()
        if unread:
            with self._database.writing() as connection:
                table = EntryTable(connection)
                for identity, fact in table.by_number(table.knowledge.unread()).items():
                    table.knowledge.add(identity, fact)

    def _current(self, connection: sqlite3.Connection) -> VectorIndex:
        with _snapshot(connection):
            return self._index.current(connection)


@contextmanager
def _snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Provides a consistent view of the file while other processes change it.

    Args:
        connection: Connection to the file, outside a transaction.
    """
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:  # SQLite itself ends the transaction if the file is damaged
            connection.execute("ROLLBACK")


def _erase(table: EntryTable, gone: list[int]) -> None:
    """Erases the words of removed entries in the transaction that removes the entries.

    A later erasure could fail if the file is busy.
    """
    if gone:
        table.erase_words()
