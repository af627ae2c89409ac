"""What turns texts into vectors."""

from __future__ import annotations

from collections.abc import Sequence
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
