"""Classifier that maps sentences to topics of small talk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.embedding import SentenceEmbedder, Vectors
from reachy_agent_ros.core.weights import check_sum

FILE = Path(__file__).with_name("topics.npz")
"""Weights, trained by `training/small_talk/train.py` on `small_talk.tsv`."""

_SHA256 = "219969e6d56443b09ad3479dbf9b37cf91be1ea891f69adb44b899dffed0ede2"  # codespell:ignore ede
NONE = "none"
"""Class of sentences that need a model."""

LEAST_LIKELY = 0.4
"""Minimum probability for a sentence to belong to a topic."""

MOST_NONE = 0.1
"""Maximum probability that a sentence with a topic needs a model.

Both limits were chosen by cross-validation on the known sentences: 75 % of small talk is given the right topic and 10 %
another one, and 4 % of the sentences for a model are given one. `training/small_talk/train.py` prints these figures.
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
        """Returns the topic of a sentence. Returns None for an uncertain topic, or if a language model is needed.

        Args:
            variants: Wordings of the sentence. The most certain one counts.
        """
        probabilities = topic_probabilities(self._embedder.embed(variants), self._weight, self._bias)
        none = self._topics.index(NONE)
        topic = certain_topic(probabilities, none)
        return None if topic == none else self._topics[topic]


def topic_probabilities(vectors: Vectors, weight: Vectors, bias: Vectors) -> Vectors:
    """Returns the probability of each topic (column) for each sentence vector (row)."""
    scores = SCALE * vectors @ weight + bias
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities: Vectors = weights / weights.sum(axis=1, keepdims=True)
    return probabilities


def certain_topic(probabilities: Vectors, none: int) -> int:
    """Returns the column of the topic. Returns the column of `NONE` for an uncertain topic or a complex sentence.

    Args:
        probabilities: Probability of each topic (column) for each wording (row).
        none: Column of `NONE`.
    """
    small_talk = probabilities.copy()
    small_talk[:, none] = 0.0
    wording, topic = divmod(int(small_talk.argmax()), small_talk.shape[1])
    likely = small_talk[wording, topic] >= LEAST_LIKELY and probabilities[wording, none] <= MOST_NONE
    return topic if likely else none
