"""Which of many vectors point nearest to one, in two steps.

The first step compares signs: one bit a dimension, 48 bytes a vector, the Hamming distance by the processor's own
instruction. That angle is estimated well by signs is Charikar's "Similarity estimation techniques from rounding
algorithms", 2002. The second step, whoever asks takes: exact cosines of the few that are left.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.mind.memory.embedder import DIMENSIONS, Vectors

_WORDS = DIMENSIONS // 64
_FIRST_ROOM = 1024

Identities = NDArray[np.int64]
Signs = NDArray[np.uint64]


class VectorIndex:
    """Signs of vectors in memory: 5 MB for 100,000 of them."""

    def __init__(self) -> None:
        self._count = 0
        self._identities: Identities = np.zeros(_FIRST_ROOM, np.int64)
        self._kinds: NDArray[np.uint8] = np.zeros(_FIRST_ROOM, np.uint8)
        # One row a word, not one a vector: numpy adds long rows fast and short ones slowly.
        self._signs: Signs = np.zeros((_WORDS, _FIRST_ROOM), np.uint64)

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
        self._count = end

    def remove(self, identities: Sequence[int] | Identities) -> None:
        """Drops vectors by number; numbers that are not there do not matter."""
        kept = ~np.isin(self.identities, np.asarray(identities, np.int64))
        count = int(kept.sum())
        for values in (self._identities, self._kinds, *self._signs):
            values[:count] = values[: self._count][kept]
            values[count : self._count] = 0  # what is forgotten leaves no bit behind
        self._count = count

    def nearest(self, vector: Vectors, kinds: Sequence[int], limit: int) -> list[int]:
        """Numbers of the vectors of these kinds whose signs are most like those of a vector of shape [384]."""
        distances = np.bitwise_count(self._signs[:, : self._count] ^ _signs(vector[None])).sum(axis=0, dtype=np.uint16)
        distances[~np.isin(self._kinds[: self._count], np.asarray(kinds, np.uint8))] = DIMENSIONS + 1
        places = np.argpartition(distances, min(limit, self._count) - 1)[:limit] if self._count else np.arange(0)
        found: list[int] = self._identities[places[distances[places] <= DIMENSIONS]].tolist()
        return found

    def _grow(self, count: int) -> None:
        room = len(self._identities)
        if count <= room:
            return
        more = max(count, 2 * room) - room
        self._identities = np.pad(self._identities, (0, more))
        self._kinds = np.pad(self._kinds, (0, more))
        self._signs = np.pad(self._signs, ((0, 0), (0, more)))


def _signs(vectors: Vectors) -> Signs:
    bits = np.packbits(vectors > 0, axis=1)
    return np.ascontiguousarray(bits.view(np.uint64).T)
