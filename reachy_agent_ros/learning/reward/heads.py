"""Learned heads of the reward model: kernel machines for the sign, the rating and the corrective axis of an utterance.

The axis head is for utterances whose direction no grammar knows: is more wanted of the direction that is named, or
less? A sentence's vector blurs left with right, so nothing learned has to tell them apart: words say which direction is
named ("you crept past it on the left"), and what is learned says what the speaker wants of it. That is the same thing
for left and right, and for loud and fast, so that all sentences teach all directions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.learning.reward.cues import CUES, OPPOSITE, axes_of, cues_of
from reachy_agent_ros.learning.reward.reading import FeedbackReading, rows_of
from reachy_agent_ros.learning.score import Axis

Floats = NDArray[np.float32]

SIGNS = (-1, 0, 1)
"""In the order of the columns."""

RATED = ((3, -1), (4, 1))
"""Columns of the ratings, and the sign under which each holds."""

PENALTY = 0.5
"""Of the ridge, in labels, where the heads learn from people's own labels: one label is not believed to the letter."""

_FIRST_LAYER = 2
"""Of six, counted from 0: those before it know single words only."""

_SCALE = np.float32(8.0)
"""Of the network's vectors, so that they weigh as much as the cues."""

_NAMES = {Axis(name): re.compile(rf"\b(?:{words})\b") for name, words in rows_of("axis_names.tsv")}

_RELATIONS = tuple(re.compile(pattern) for _, pattern in rows_of("axis_relations.tsv"))

_FAMILIES = tuple((axis, OPPOSITE[axis]) for axis in list(_NAMES)[::2])

_STRONGEST = 64
"""Of the network's vectors, the strongest first: the others tell more of the topic than of what is wanted of it."""

_NETWORK, _CUES, _PATTERNS = np.float32(0.7), np.float32(0.5), np.float32(4.0)
"""Weight of each kind of feature in the kernel's distance."""


@dataclass(frozen=True)
class _LearnedArrays:
    """Arrays by name, which are the fields of a subclass.

    Attributes:
        IN_FULL: Names of those that are written as they are. The others, which are large, are written in half
            precision: what is learned of utterances is not as exact as that.
    """

    IN_FULL: ClassVar[frozenset[str]]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Reads what `save` wrote.

        Raises:
            OSError: It cannot be read.
            ValueError: It is not such a file.
            KeyError: A part is missing.
        """
        with np.load(path, allow_pickle=False) as file:
            return cls(**{field.name: file[field.name].astype(np.float32) for field in fields(cls)})

    def save(self, path: Path) -> None:
        """Writes it, the larger parts in half precision."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        np.savez(path, **{n: part if n in self.IN_FULL else part.astype(np.float16) for n, part in parts.items()})


@dataclass(frozen=True)
class Heads(_LearnedArrays):
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

    def inputs(self, embedder: SentenceEmbedder, reading: FeedbackReading, act: str = "") -> Floats:
        """What the heads see of an utterance: the network's layers, and cues; shape [features]."""
        cues = (np.array(cues_of(reading, act), np.float32) - self.centre) / self.spread
        return np.concatenate([layers_of(embedder, reading) @ self.basis, cues])

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


@dataclass(frozen=True)
class AxisHead(_LearnedArrays):
    """Ridge regression in the space of a Gaussian kernel, over pairs of an utterance and a direction that it names.

    Attributes:
        examples: What was seen of each pair that was learned from, shape [pairs, features].
        weight: Shape [pairs, 2]: more is wanted of the direction, less is.
        bias: Shape [2].
        gamma: Of the kernel, shape [].
        least: Output from which on it is believed, shape [].
    """

    IN_FULL: ClassVar = frozenset({"bias", "gamma", "least"})

    examples: Floats
    weight: Floats
    bias: Floats
    gamma: Floats
    least: Floats

    def axes(self, features: Mapping[Axis, Floats]) -> list[Axis]:
        """The corrective directions of an utterance, the surest first; none where it is unsure.

        Args:
            features: What `features_of` makes of each direction that it names.
        """
        if not features:
            return []
        outputs = self.outputs(np.array(list(features.values())))
        best = sorted(zip(outputs.max(axis=1), outputs.argmax(axis=1), features, strict=True), key=lambda one: -one[0])
        return [OPPOSITE[axis] if less else axis for output, less, axis in best if output >= self.least]

    def outputs(self, features: Floats) -> Floats:
        """How much more and less is wanted, shape [n, 2], about 0 to 1, of features [n, features]."""
        outputs: Floats = kernel(features, self.examples, float(self.gamma)) @ self.weight + self.bias
        return outputs


def layers_of(embedder: SentenceEmbedder, reading: FeedbackReading) -> Floats:
    """The network's vectors that count, in one row."""
    layers = embedder.embed_layers(reading.text)[_FIRST_LAYER:]
    row: Floats = _SCALE * (layers / np.linalg.norm(layers, axis=1, keepdims=True)).ravel()
    return row


def features_of(row: Floats, words: str) -> dict[Axis, Floats]:
    """What the head sees of each direction that an utterance names.

    Args:
        row: What `Heads.inputs` makes of the utterance, shape [features].
        words: As `FeedbackReading.text` holds them.
    """
    seen = np.concatenate([_NETWORK * row[:_STRONGEST], _CUES * row[-CUES:]])
    relations = [bool(pattern.search(words)) for pattern in _RELATIONS]
    known = axes_of(words)
    features: dict[Axis, Floats] = {}
    for named in named_in(words):
        family = [named in pair for pair in _FAMILIES]
        patterns = np.array([*relations, *family, named in known, OPPOSITE[named] in known], np.float32)
        features[named] = np.concatenate([seen, _PATTERNS * patterns])
    return features


def named_in(words: str) -> Iterator[Axis]:
    """The directions that an utterance names, of each pair of opposites at most one: where both are, neither helps."""
    for pair in _FAMILIES:
        found = [axis for axis in pair if _NAMES[axis].search(words)]
        if len(found) == 1:
            yield found[0]


def kernel(left: Floats, right: Floats, gamma: float, right_squares: Floats | None = None) -> Floats:
    """Gaussian likeness of rows, shape [n, m]; of thousands of rows on the right, their squares are best kept."""
    if right_squares is None:
        right_squares = (right * right).sum(axis=1)
    squares = (left * left).sum(axis=1)[:, None] + right_squares - 2.0 * left @ right.T
    likeness: Floats = np.exp(-np.float32(gamma) * squares)
    return likeness
