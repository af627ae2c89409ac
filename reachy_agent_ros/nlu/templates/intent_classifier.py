"""Classifier that returns the probability of each intent, for clauses that no template matches."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.multilingual_embedding import MultilingualEmbedder
from reachy_agent_ros.core.weights import check_sum

FILE = Path(__file__).parents[1] / "intents.npz"
"""Weights, trained by `training/intents/train.py`."""

_SHA256 = "995df11d0c02634016ea6a24f868dc1a35efc71da468de83914672dff36e4c50"

NONE = "none"
"""Class of sentences that are not commands."""

BUCKETS = 1 << 14
"""Number of buckets of hashed word and letter sequences."""

_LETTERS = 4
_MOST_KEPT = 256
"""Maximum number of sentence vectors in memory."""


def features_of(masked: Sequence[str]) -> NDArray[np.int64]:
    """Returns the hash buckets of the words, word pairs and letter sequences of a clause.

    Args:
        masked: Words with the names of lists in place of their values, see `FoundSlots`.
    """
    return np.unique([zlib.crc32(feature.encode()) % BUCKETS for feature in _sequences(masked)])


def _sequences(words: Sequence[str]) -> Iterator[str]:
    yield from words
    yield from map("{0[0]} {0[1]}".format, pairwise(["^", *words, "$"]))
    for word in words:
        padded = f"<{word}>"
        if len(word) > _LETTERS and word[0] != "{":
            yield from (f"~{padded[start : start + _LETTERS]}" for start in range(len(padded) - _LETTERS + 1))


class IntentClassifier:
    """Logistic regression on a sentence vector and hashed sequences of words and letters.

    Args:
        embedder: Sentence embedder.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the weights file is missing or its checksum is wrong.
    """

    def __init__(self, embedder: MultilingualEmbedder) -> None:
        check_sum(FILE, _SHA256)
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        with np.load(FILE) as file:
            self._intents: list[str] = file["intents"].tolist()
            self._meaning = file["meaning"].astype(np.float32)
            self._sequence = file["sequence"].astype(np.float32)
            self._bias = file["bias"].astype(np.float32)

    def probabilities(self, text: str, masked: Sequence[str]) -> Mapping[str, float]:
        """Returns the probability of each intent.

        Args:
            text: Clause as written.
            masked: Words of the clause, with the names of lists in place of their values.
        """
        scores = self._vector(text) @ self._meaning + self._sequence[features_of(masked)].sum(axis=0) + self._bias
        weights = np.exp(scores - scores.max())
        return dict(zip(self._intents, (weights / weights.sum()).tolist(), strict=True))

    def _vector(self, text: str) -> NDArray[np.float32]:
        if text not in self._vectors:
            if len(self._vectors) >= _MOST_KEPT:
                self._vectors.clear()
            self._vectors[text] = self._embedder.embed([text])[0]
        return self._vectors[text]
