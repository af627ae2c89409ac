"""What is learned of utterances: a kernel machine over what is seen of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.learning.reward.cues import cues_of
from reachy_agent_ros.learning.reward.learned_arrays import LearnedArrays
from reachy_agent_ros.learning.reward.reading import Reading

Floats = NDArray[np.float32]

SIGNS = (-1, 0, 1)
"""In the order of the columns."""

_FIRST_LAYER = 2
"""Of six, counted from 0: those before it know single words only."""

_SCALE = np.float32(8.0)
"""Of the network's vectors, so that they weigh as much as the cues."""


@dataclass(frozen=True)
class Heads(LearnedArrays):
    """Ridge regression in the space of a Gaussian kernel, of the signs and of the rating under each sign.

    First the sign, then the rating under that sign: the hurdle model of Mullahy, "Specification and testing of some
    modified count data models", 1986, because a regression alone has no place for "nothing was said of it".

    Attributes:
        examples: What was seen of each utterance that was learned from, shape [examples, features].
        weight: Shape [examples, 5]: the three signs, then the rating under blame and under praise.
        bias: Shape [5].
        urgency: Shape [examples that came with the package]: 1 for an urgent stop, 0 for anything else. What a person
            adds lies behind them and does not touch it.
        calm: Of urgency, where nothing is known, shape [].
        gamma: Of the kernel, shape [].
        sharpness: Of the signs' probabilities, shape []; it makes them frequencies.
        basis: Principal directions of the network's vectors, shape [vectors, directions].
        centre: Mean of each cue.
        spread: Deviation of each cue.
    """

    IN_FULL: ClassVar = frozenset({"centre", "spread", "bias", "calm", "gamma", "sharpness"})

    examples: Floats
    weight: Floats
    bias: Floats
    urgency: Floats
    calm: Floats
    gamma: Floats
    sharpness: Floats
    basis: Floats
    centre: Floats
    spread: Floats

    def outputs(self, inputs: Floats) -> tuple[Floats, Floats]:
        """Probability of each sign, shape [n, 3], and the ratings under each, shape [n, 3], of inputs [n, features]."""
        return self._judged(kernel(inputs, self.examples, float(self.gamma), self._squares))

    def outputs_and_urgency(self, inputs: Floats) -> tuple[Floats, Floats, Floats]:
        """What `outputs` tells, and how much each is like an urgent stop, shape [n], about 0 to 1."""
        likeness = kernel(inputs, self.examples, float(self.gamma), self._squares)
        urgency: Floats = likeness[:, : len(self.urgency)] @ self.urgency + self.calm
        return *self._judged(likeness), urgency

    @cached_property
    def _squares(self) -> Floats:
        squares: Floats = (self.examples * self.examples).sum(axis=1)
        return squares

    def _judged(self, likeness: Floats) -> tuple[Floats, Floats]:
        raw = likeness @ self.weight + self.bias
        scores = self.sharpness * raw[:, : len(SIGNS)]
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares = weights / weights.sum(axis=1, keepdims=True)
        return shares, np.column_stack([raw[:, 3], np.zeros(len(raw), np.float32), raw[:, 4]])


class Inputs:
    """Makes of readings what the heads see: the network's layers, and cues.

    Args:
        embedder: The network.
        basis: Principal directions of its vectors.
        centre: Mean of each cue.
        spread: Deviation of each cue.
    """

    def __init__(self, embedder: SentenceEmbedder, basis: Floats, centre: Floats, spread: Floats) -> None:
        self._embedder = embedder
        self._basis = basis
        self._centre = centre
        self._spread = spread

    def of(self, reading: Reading, act: str = "") -> Floats:
        """Shape [features]."""
        cues = (np.array(cues_of(reading, act), np.float32) - self._centre) / self._spread
        return np.concatenate([layers_of(self._embedder, reading) @ self._basis, cues])


def layers_of(embedder: SentenceEmbedder, reading: Reading) -> Floats:
    """The network's vectors that count, in one row."""
    layers = embedder.embed_layers(reading.text)[_FIRST_LAYER:]
    row: Floats = _SCALE * (layers / np.linalg.norm(layers, axis=1, keepdims=True)).ravel()
    return row


def kernel(left: Floats, right: Floats, gamma: float, right_squares: Floats | None = None) -> Floats:
    """Gaussian likeness of rows, shape [n, m]; of thousands of rows on the right, their squares are best kept."""
    if right_squares is None:
        right_squares = (right * right).sum(axis=1)
    squares = (left * left).sum(axis=1)[:, None] + right_squares - 2.0 * left @ right.T
    likeness: Floats = np.exp(-np.float32(gamma) * squares)
    return likeness
