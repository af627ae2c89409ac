"""What turns texts into vectors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 384

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Texts as vectors: near in meaning, near in angle."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape [n, 384]."""
        ...


class LateEmbedder:
    """Loads an embedder when the first text comes: half a second that a list or an export need not wait.

    Args:
        load: Makes it.
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
