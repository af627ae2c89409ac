"""Stop classifier: a small recurrent network over hashed subwords, in NumPy.

Word order decides: "do not stop" and "I told him to stop" are not stops. The network reads parts of words, so that it
also understands misspelled and inflected words. `training/stop/` trains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from reachy_agent_ros.nlu.subwords import WIDTH, GatedRecurrentUnit, SubwordNetwork, Vectors

FILE = Path(__file__).with_name("classifier.npz")
"""Weights, trained by `training/stop/train.py`."""

_SHA256 = "73d523d001915c71b80d3cc1e3d5cfd2886e76cc351a8536012bfeae42b49f5a"

LABELS = ("none", "calm", "plain", "urgent")
"""Classes in the order of the network's outputs. The index of a class is its value in `StopLevel`."""

WINDOW, STEP = 40, 30
"""Length of a window, and distance from one to the next, words. Longer texts are read in overlapping windows."""

_AT_ONCE = 64
"""Number of windows that are computed at once, which bounds the memory needed for long texts."""

_WORDS_KEPT = 4_096


class StopClassifier:
    """Bidirectional gated recurrent unit with maximum pooling.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the weights file is missing or its checksum is wrong.
    """

    def __init__(self) -> None:
        network = SubwordNetwork(FILE, _SHA256)
        self._weights = network.weights
        self._gru = GatedRecurrentUnit(network.weights, "gru")
        self._vector = lru_cache(maxsize=_WORDS_KEPT)(network.vector)

    def probabilities(self, words: Sequence[str]) -> Vectors:
        """Returns the probability of each label (`LABELS`). In a long text, the most urgent window counts.

        Args:
            words: Words from `plain_words`.
        """
        windows = [words[start : start + WINDOW] for start in range(0, max(1, len(words) - STEP), STEP)]
        parts = [self._classify(windows[at : at + _AT_ONCE]) for at in range(0, len(windows), _AT_ONCE)]
        return _most_urgent(np.concatenate(parts))

    def _classify(self, windows: Sequence[Sequence[str]]) -> Vectors:
        """Returns the label probabilities of windows, shape [windows, labels]. Pads short windows."""
        longest = max(1, *map(len, windows))
        inputs = np.zeros((longest, len(windows), WIDTH), np.float32)
        present = np.zeros((longest, len(windows), 1), np.float32)
        for row, window in enumerate(windows):
            for place, word in enumerate(window):
                inputs[place, row] = self._vector(word)
            present[: max(1, len(window)), row] = 1.0
        pooled = np.where(present > 0, self._gru.states(inputs, present), -np.inf).max(axis=0)
        hidden = np.maximum(pooled @ self._weights["dense.weight"].T + self._weights["dense.bias"], 0.0)
        return _softmax(hidden @ self._weights["out.weight"].T + self._weights["out.bias"])


def _most_urgent(rows: Vectors) -> Vectors:
    """Combines the probabilities of all windows of a text: for each level of urgency, the most likely window counts."""
    at_least = rows[:, ::-1].cumsum(axis=1)[:, ::-1].max(axis=0)
    combined: Vectors = at_least - np.append(at_least[1:], np.float32(0.0))
    return combined


def _softmax(scores: Vectors) -> Vectors:
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities: Vectors = weights / weights.sum(axis=1, keepdims=True)
    return probabilities
