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
    """Interface for sentence embedding: texts with similar meanings get vectors with a small angle between them."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Returns one unit vector for each text, as an array with shape [n, 384]."""
        ...


class LateEmbedder:
    """Embedder that is loaded on first use. Loading takes half a second, and some commands need no embedder.

    Args:
        load: Creates the embedder.
    """

    def __init__(self, load: Callable[[], Embedder]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._embedder: Embedder | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Returns one unit vector for each text, as an array with shape [n, 384]. The first call loads the embedder."""
        with self._lock:
            self._embedder = self._embedder or self._load()
        return self._embedder.embed(texts)
