"""Classifier that maps sentences to topics of small talk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.embedding import SentenceEmbedder, Vectors
from reachy_agent_ros.core.weights import check_sum

FILE = Path(__file__).with_name("topics.npz")
"""Weights, trained by `training/reflex/topics.py` on `small_talk.tsv`."""

_SHA256 = "9f7fa4ab5e23b335b8f4a6367672005433fb0b484ca8c5a552d4eb22f4b4c5d0"
NONE = "none"
"""Class of sentences that need a model."""

LEAST_LIKELY = 0.4
"""Probability from which a sentence belongs to a topic."""

MOST_NONE = 0.1
"""Probability up to which a sentence may need a model.

Both limits were chosen by cross-validation on the known sentences: 72 % of small talk had the right topic, 12 % another
one, and 2 % of the sentences for a model had one. Sentences with a cosine of 0.9 were in the same fold.
"""

SCALE = np.float32(8.0)
"""Scale of sentence vectors in the classifier's input."""


class TopicClassifier:
    """Multinomial logistic regression on sentence vectors.

    Args:
        embedder: Sentence embedder.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the weights file is missing or its checksum is wrong.
    """

    def __init__(self, embedder: SentenceEmbedder) -> None:
        check_sum(FILE, _SHA256)
        self._embedder = embedder
        with np.load(FILE) as file:
            self._topics: list[str] = file["topics"].tolist()
            self._weight: Vectors = file["weight"].astype(np.float32)
            self._bias: Vectors = file["bias"].astype(np.float32)

    def best(self, variants: Sequence[str]) -> str | None:
        """Returns the topic of a sentence; None if it is uncertain, or the sentence needs a model.

        Args:
            variants: Wordings of the sentence. The most certain one counts.
        """
        scores = SCALE * self._embedder.embed(variants) @ self._weight + self._bias
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities = weights / weights.sum(axis=1, keepdims=True)
        needs_model = probabilities[:, self._topics.index(NONE)].copy()
        probabilities[:, self._topics.index(NONE)] = 0.0
        variant, topic = divmod(int(probabilities.argmax()), len(self._topics))
        likely = probabilities[variant, topic] >= LEAST_LIKELY and needs_model[variant] <= MOST_NONE
        return self._topics[topic] if likely else None
