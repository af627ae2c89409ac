"""Vector index: which of many vectors point nearest to one, kept equal to the memory file.

The search takes three steps, each exacter than the one before. The first compares signs: one bit a dimension, the
Hamming distance by the processor's own instruction. That angles are estimated by signs is Charikar's "Similarity
estimation techniques from rounding algorithms", 2002. The second compares the few thousand that are left with one byte
a dimension. The third, exact cosines, takes whoever asks. By signs alone a fifth of the right answers to hard
questions would be lost; with the bytes in between, none is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.agent.memory.embedder import DIMENSIONS, Vectors
from reachy_agent_ros.agent.memory.entry import ALL_KINDS
from reachy_agent_ros.agent.memory.entry_table import EntryTable
from reachy_agent_ros.storage.database import Database

_WORDS = DIMENSIONS // 64
_FIRST_ROOM = 1024
_BY_SIGNS = 4000
"""Vectors that pass the first step: 2 ms for 100,000, and as good as comparing all."""

_STEP = np.float32(1 / 400)
"""Of a byte: ±0.32, which one of 384 numbers of unit length hardly ever exceeds."""

Identities = NDArray[np.int64]
Signs = NDArray[np.uint64]

_CHUNK = 10_000
"""Vectors read at once: 25 MB, so that a small computer is not filled with what is thrown away right after."""


class VectorIndex:
    """Vectors in memory, coarsely: 44 MB for 100,000 of them."""

    def __init__(self) -> None:
        self._count = 0
        self._identities: Identities = np.zeros(_FIRST_ROOM, np.int64)
        self._kinds: NDArray[np.uint8] = np.zeros(_FIRST_ROOM, np.uint8)
        # One row a word, not one a vector: numpy adds long rows fast and short ones slowly.
        self._signs: Signs = np.zeros((_WORDS, _FIRST_ROOM), np.uint64)
        self._bytes: NDArray[np.int8] = np.zeros((_FIRST_ROOM, DIMENSIONS), np.int8)

    def __len__(self) -> int:
        return self._count

    @property
    def identities(self) -> Identities:
        """Of every vector within."""
        return self._identities[: self._count]

    def add(
        self, identities: Sequence[int] | Identities, kinds: Sequence[int] | NDArray[np.uint8], vectors: Vectors
    ) -> None:
        """Takes more vectors, shape [n, 384], with a number and a kind each."""
        end = self._count + len(identities)
        self._grow(end)
        self._identities[self._count : end] = identities
        self._kinds[self._count : end] = kinds
        self._signs[:, self._count : end] = _signs(vectors)
        self._bytes[self._count : end] = np.clip(np.round(vectors / _STEP), -127, 127)
        self._count = end

    def remove(self, identities: Sequence[int] | Identities) -> None:
        """Drops vectors by number; numbers that are not there do not matter."""
        kept = ~np.isin(self.identities, np.asarray(identities, np.int64))
        count = int(kept.sum())
        for values in (self._identities, self._kinds, self._bytes, *self._signs):
            values[:count] = values[: self._count][kept]
            values[count : self._count] = 0  # what is forgotten leaves no bit behind
        self._count = count

    def nearest(self, vector: Vectors, kinds: Sequence[int], limit: int) -> list[int]:
        """Numbers of the vectors of these kinds that are nearest to a vector of shape [384], in any order."""
        distances = np.bitwise_count(self._signs[:, : self._count] ^ _signs(vector[None])).sum(axis=0, dtype=np.uint16)
        distances[~np.isin(self._kinds[: self._count], np.asarray(kinds, np.uint8))] = DIMENSIONS + 1
        places = _least(distances, max(limit, _BY_SIGNS))
        places = places[distances[places] <= DIMENSIONS]
        similarities = self._bytes[places].astype(np.float32) @ vector
        found: list[int] = self._identities[places[_least(-similarities, limit)]].tolist()
        return found

    def _grow(self, count: int) -> None:
        room = len(self._identities)
        if count <= room:
            return
        more = max(count, 2 * room) - room
        self._identities = np.pad(self._identities, (0, more))
        self._kinds = np.pad(self._kinds, (0, more))
        self._signs = np.pad(self._signs, ((0, 0), (0, more)))
        self._bytes = np.pad(self._bytes, ((0, more), (0, 0)))


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


def _least(values: NDArray[np.uint16] | Vectors, count: int) -> NDArray[np.intp]:
    """Places of the least values, in any order."""
    return np.argpartition(values, count)[:count] if count < len(values) else np.arange(len(values))


def _signs(vectors: Vectors) -> Signs:
    bits = np.packbits(vectors > 0, axis=1)
    return np.ascontiguousarray(bits.view(np.uint64).T)
