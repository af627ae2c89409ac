"""Vector index for nearest-neighbor search, synchronized with the memory file.

The search has three steps of increasing precision. The first compares signs, one bit for each dimension, by their
Hamming distance, for which processors have an instruction. Estimating angles by signs is from Charikar, "Similarity
estimation techniques from rounding algorithms", 2002. The second compares the remaining few thousand vectors with one
byte for each dimension. The third, exact cosines, is left to the caller. Signs alone would miss a fifth of the correct
results for hard questions; with the second step, none are missed.
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
"""Number of vectors that pass the first step: 2 ms for 100,000 vectors, and as accurate as comparing all vectors."""

_STEP = np.float32(1 / 400)
"""Quantization step. Components of a unit vector of 384 dimensions hardly ever exceed the range of ±0.32."""

Identities = NDArray[np.int64]
Signs = NDArray[np.uint64]

_CHUNK = 10_000
"""Number of vectors read at once: 25 MB, so that temporary data fits into the memory of a small computer."""


class VectorIndex:
    """In-memory index of quantized vectors. 100,000 vectors need 44 MB."""

    def __init__(self) -> None:
        self._count = 0
        self._identities: Identities = np.zeros(_FIRST_ROOM, np.int64)
        self._kinds: NDArray[np.uint8] = np.zeros(_FIRST_ROOM, np.uint8)
        # One row for each 64-bit word instead of each vector: NumPy adds long rows fast and short rows slowly.
        self._signs: Signs = np.zeros((_WORDS, _FIRST_ROOM), np.uint64)
        self._bytes: NDArray[np.int8] = np.zeros((_FIRST_ROOM, DIMENSIONS), np.int8)

    def __len__(self) -> int:
        return self._count

    @property
    def identities(self) -> Identities:
        """Numbers of all entries in the index."""
        return self._identities[: self._count]

    def add(
        self, identities: Sequence[int] | Identities, kinds: Sequence[int] | NDArray[np.uint8], vectors: Vectors
    ) -> None:
        """Adds vectors (shape [n, 384]) with the numbers and kinds of their entries."""
        end = self._count + len(identities)
        self._grow(end)
        self._identities[self._count : end] = identities
        self._kinds[self._count : end] = kinds
        self._signs[:, self._count : end] = _signs(vectors)
        self._bytes[self._count : end] = np.clip(np.round(vectors / _STEP), -127, 127)
        self._count = end

    def remove(self, identities: Sequence[int] | Identities) -> None:
        """Removes the vectors of entries by number. Ignores unknown numbers."""
        kept = ~np.isin(self.identities, np.asarray(identities, np.int64))
        count = int(kept.sum())
        for values in (self._identities, self._kinds, self._bytes, *self._signs):
            values[:count] = values[: self._count][kept]
            values[count : self._count] = 0  # forgotten data must not remain in memory
        self._count = count

    def nearest(self, vector: Vectors, kinds: Sequence[int], limit: int) -> list[int]:
        """Finds the entries of the given kinds nearest to a vector (shape [384]). Returns their numbers, unordered."""
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
    """Vector index that follows the changes of a memory file.

    The file is read on first use, which takes one second for 100,000 vectors.

    Args:
        database: Memory file.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._index = VectorIndex()
        self._seen = (0, 0)

    def current(self, connection: sqlite3.Connection) -> VectorIndex:
        """Returns the index after applying changes that other processes made to the file.

        `EntryStore` applies the changes of this process itself.
        """
        seen = (self._database.opened, connection.execute("PRAGMA data_version").fetchone()[0])
        if seen != self._seen:
            if seen[0] != self._seen[0]:
                self._index = VectorIndex()  # the file was replaced, and the new one may reuse numbers
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
    """Returns the indices of the smallest values, in any order."""
    return np.argpartition(values, count)[:count] if count < len(values) else np.arange(len(values))


def _signs(vectors: Vectors) -> Signs:
    bits = np.packbits(vectors > 0, axis=1)
    return np.ascontiguousarray(bits.view(np.uint64).T)
