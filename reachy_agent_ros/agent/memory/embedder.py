"""Sentence embedders of the memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 384

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Maps texts to vectors such that the vectors of texts with similar meanings form a small angle."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Returns unit vectors, shape [n, 384]."""
        ...


class LateEmbedder:
    """Loads an embedder on first use, because loading takes half a second, and lists and exports need no embedder.

    Args:
        load: Creates the embedder.
    """

    def __init__(self, load: Callable[[], Embedder]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._embedder: Embedder | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Implements `Embedder`."""
        with self._lock:
            self._embedder = self._embedder or self._load()
        return self._embedder.embed(texts)
