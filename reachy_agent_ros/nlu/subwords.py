"""Word vectors from hashed subwords, and other parts that small recurrent networks in NumPy share.

Misspelled and inflected words share most of their subwords, so their vectors are alike.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.weights import check_sum

BUCKETS = 1 << 16
"""Number of vectors of word parts. Parts with the same hash share one."""

WIDTH = 32
"""Size of a word vector."""

_LONGEST_WORD = 40
"""Maximum number of letters that are read from a word."""

Vectors = NDArray[np.float32]


class SubwordNetwork:
    """Weights of a network whose inputs are words.

    Args:
        file: Weights, whose array `table` has one row of bytes for each bucket.
        sha256: Checksum of the file, hexadecimal.

    Attributes:
        weights: Arrays of the network by name, without the table.
        labels: Names of the network's outputs, if the file has them.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the weights file is missing or its checksum is wrong.
    """

    def __init__(self, file: Path, sha256: str) -> None:
        check_sum(file, sha256)
        with np.load(file) as content:
            arrays = {name: content[name] for name in content.files}
        self._table: NDArray[np.int8] = arrays.pop("table")
        self._scale = np.float32(arrays.pop("scale"))
        self.labels: list[str] = arrays.pop("labels", np.array([])).tolist()
        self.weights: dict[str, Vectors] = {name: array.astype(np.float32) for name, array in arrays.items()}

    def vector(self, word: str) -> Vectors:
        """Returns the vector of a word: that of the whole word plus the mean of its parts, shape (`WIDTH`,)."""
        rows = self._table[parts_of(word)].astype(np.float32)
        vector: Vectors = (rows[0] + rows[1:].sum(axis=0) / np.float32(max(1, len(rows) - 1))) * self._scale
        return vector


def parts_of(word: str) -> list[int]:
    """Returns the hash buckets of a word and of its sequences of three and four letters."""
    marked = f"<{word[:_LONGEST_WORD]}>"
    parts = [f"{marked}#", *(marked[at : at + size] for size in (3, 4) for at in range(len(marked) - size + 1))]
    return [zlib.crc32(part.encode(errors="replace")) % BUCKETS for part in parts]


def sigmoid(scores: Vectors) -> Vectors:
    """Returns the logistic function of each score."""
    activated: Vectors = 0.5 * (1.0 + np.tanh(0.5 * scores))
    return activated


class GatedRecurrentUnit:
    """Bidirectional gated recurrent unit.

    Method: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder", 2014, as implemented in PyTorch.

    Args:
        weights: Arrays of a network by name.
        name: Name of the layer in the network.
    """

    def __init__(self, weights: Mapping[str, Vectors], name: str) -> None:
        def both(parameter: str) -> Vectors:
            return np.stack([weights[f"{name}.{parameter}_l0{direction}"] for direction in ("", "_reverse")])

        self._driving, self._driving_bias = both("weight_ih").transpose(0, 2, 1), both("bias_ih")[:, None]
        self._keeping, self._keeping_bias = both("weight_hh").transpose(0, 2, 1), both("bias_hh")[:, None]

    def states(self, inputs: Vectors, present: Vectors) -> Vectors:
        """Returns the forward and backward states for each word, shape [words, texts, 2 * states].

        Args:
            inputs: Vectors of the words, shape [words, texts, width].
            present: 1 for each word, and 0 after the end of a shorter text, shape [words, texts, 1].
        """
        driven = np.stack((inputs, inputs[::-1]), axis=1) @ self._driving + self._driving_bias
        present = np.stack((present, present[::-1]), axis=1)
        size = self._keeping.shape[1]
        state = np.zeros((2, inputs.shape[1], size), np.float32)
        states = np.zeros((len(inputs), *state.shape), np.float32)
        for place, fed in enumerate(driven):
            kept = state @ self._keeping + self._keeping_bias
            gates = sigmoid(fed[..., : 2 * size] + kept[..., : 2 * size])
            reset, update = gates[..., :size], gates[..., size:]
            candidate = np.tanh(fed[..., 2 * size :] + reset * kept[..., 2 * size :])
            state = np.where(present[place] > 0, candidate + update * (state - candidate), state)
            states[place] = state
        found: Vectors = np.concatenate((states[:, 0], states[::-1, 1]), axis=2)
        return found
