"""The index of vectors, kept equal to a file that other processes change too."""

from __future__ import annotations

import sqlite3

import numpy as np

from reachy_agent_ros.agent.memory.entry import ALL_KINDS
from reachy_agent_ros.agent.memory.entry_table import EntryTable
from reachy_agent_ros.agent.memory.vector_index import VectorIndex
from reachy_agent_ros.storage.database import Database

_CHUNK = 10_000
"""Vectors read at once: 25 MB, so that a small computer is not filled with what is thrown away right after."""


class LiveIndex:
    """The file's vectors, coarsely, read on first use: a second for 100,000.

    Args:
        database: The file.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._index = VectorIndex()
        self._seen = (0, 0)

    def current(self, connection: sqlite3.Connection) -> VectorIndex:
        """The index as the file is now. What this process writes, it adds and removes itself."""
        seen = (self._database.opened, connection.execute("PRAGMA data_version").fetchone()[0])
        if seen != self._seen:
            if seen[0] != self._seen[0]:
                self._index = VectorIndex()  # the file is another one, and numbers may come again
            self._read(EntryTable(connection))
            self._seen = seen
        return self._index

    def _read(self, table: EntryTable) -> None:
        identities = table.identities()
        self._index.remove(np.setdiff1d(self._index.identities, identities))
        missing = np.setdiff1d(identities, self._index.identities)
        for start in range(0, len(missing), _CHUNK):
            numbers, vectors = table.vectors(missing[start : start + _CHUNK].tolist())
            self._index.add(numbers, [ALL_KINDS.index(kind) for kind in table.kinds(numbers)], vectors)
