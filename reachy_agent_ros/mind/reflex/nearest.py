"""The exemplars nearest in meaning to a phrase."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.paths import cache_directory
from reachy_agent_ros.mind.embedding import WEIGHTS, SentenceEmbedder, Vectors


class NearestExemplars:
    """Exemplars by the plain command they stand for.

    Args:
        embedder: Makes the vectors.
        phrases: Exemplars, masked (see `slots.Slots`).
        labels: What each stands for.
    """

    def __init__(self, embedder: SentenceEmbedder, phrases: Sequence[str], labels: Sequence[str]) -> None:
        self._embedder = embedder
        self._vectors = _vectors(embedder, phrases)
        self._labels = list(dict.fromkeys(labels))
        index = {label: number for number, label in enumerate(self._labels)}
        self._label_of = np.array([index[label] for label in labels])

    def similarities(self, phrase: str) -> Mapping[str, float]:
        """Cosine of the nearest exemplar of each label."""
        best = np.full(len(self._labels), -1.0, np.float32)
        np.maximum.at(best, self._label_of, self._vectors @ self._embedder.embed([phrase])[0])
        return dict(zip(self._labels, map(float, best), strict=True))


def _vectors(embedder: SentenceEmbedder, phrases: Sequence[str]) -> Vectors:
    """Vectors of the phrases, from disk if these phrases were met before: a thousand take seconds."""
    key = hashlib.sha256("\n".join([*WEIGHTS.sha256.values(), *phrases]).encode()).hexdigest()[:16]
    path = cache_directory() / f"exemplars-{key}.npy"
    with contextlib.suppress(OSError, ValueError, EOFError):  # not there yet, or half written: made again
        vectors: Vectors = np.load(path)
        if vectors.shape == (len(phrases), vectors.shape[-1]):
            return vectors
    vectors = embedder.embed(phrases)
    _save(vectors, path)
    return vectors


def _save(vectors: Vectors, path: Path) -> None:
    with contextlib.suppress(OSError):  # a full disk costs the next start some seconds and nothing else
        part = path.with_suffix(".part.npy")
        np.save(part, vectors)
        part.replace(path)
