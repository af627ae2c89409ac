"""Learned heads of the reward model, which predict the sign, rating and corrective axis of an utterance.

All heads are kernel regressions.

The axis head handles utterances that no pattern covers. It decides whether the speaker wants more or less of a named
direction. Because embeddings confuse left with right, the direction itself comes from the words ("you crept past it on
the left"). The decision does not depend on which of two opposite directions is named, so all sentences train both.
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
"""Signs in the order of the columns."""

RATED = ((3, -1), (4, 1))
"""Columns of the ratings, each with the sign that it applies to."""

PENALTY = 0.5
"""Ridge penalty for learning from people's labels, in labels, so that a single label is not fitted exactly."""

_FIRST_LAYER = 2
"""First network layer used, of six, counted from 0: earlier layers represent only single words."""

_SCALE = np.float32(8.0)
"""Scale of the network's vectors, which gives them the same weight as the cues."""

_NAMES = {Axis(name): re.compile(rf"\b(?:{words})\b") for name, words in rows_of("axis_names.tsv")}

_RELATIONS = tuple(re.compile(pattern) for _, pattern in rows_of("axis_relations.tsv"))

_FAMILIES = tuple((axis, OPPOSITE[axis]) for axis in list(_NAMES)[::2])

_STRONGEST = 64
"""Number of principal directions used, strongest first: the others describe the topic rather than the request."""

_NETWORK, _CUES, _PATTERNS = np.float32(0.7), np.float32(0.5), np.float32(4.0)
"""Weight of each kind of feature in the distance that the kernel uses."""


@dataclass(frozen=True)
class _LearnedArrays:
    """Base class for a set of learned arrays that is stored in one file.

    Attributes:
        IN_FULL: Names of the arrays stored in single precision. The others are large and are stored in half precision,
            which is accurate enough for learned parameters.
    """

    IN_FULL: ClassVar[frozenset[str]]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Loads the arrays from a file that `save` has written.

        Raises:
            OSError: The file cannot be read.
            ValueError: The file is not in npz format.
            zipfile.BadZipFile: The file is damaged.
            KeyError: An array is missing.
        """
        with np.load(path, allow_pickle=False) as file:
            return cls(**{field.name: file[field.name].astype(np.float32) for field in fields(cls)})

    def save(self, path: Path) -> None:
        """Writes the arrays to a file."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        np.savez(path, **{n: part if n in self.IN_FULL else part.astype(np.float16) for n, part in parts.items()})


@dataclass(frozen=True)
class Heads(_LearnedArrays):
    """Predicts the sign and the rating of an utterance by kernel ridge regression with a Gaussian kernel.

    Sign and rating form a hurdle model (Mullahy, "Specification and testing of some modified count data models", 1986),
    because a single regression cannot represent "no feedback".

    Attributes:
        examples: Features of the training utterances, shape [examples, features].
        weight: Dual weights, shape [examples, 5]: the three signs, then the rating given blame and given praise.
        bias: Bias of each column of `weight`, shape [5].
        urgency: Dual weights of urgency, shape [examples of the package]; the target is 1 for an urgent stop, otherwise
            0. Examples that people add come after these and do not affect urgency.
        calm: Bias of urgency, shape [].
        gamma: Parameter of the kernel, shape [].
        sharpness: Inverse temperature that calibrates the sign probabilities, shape [].
        basis: Principal directions of the network's vectors, shape [vectors, directions].
        centre: Mean of each cue.
        spread: Standard deviation of each cue.
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
        """Returns the features (shape [features]) of an utterance: the projected network layers and the cues."""
        cues = (np.array(cues_of(reading, act), np.float32) - self.centre) / self.spread
        return np.concatenate([layers_of(embedder, reading) @ self.basis, cues])

    def outputs(self, inputs: Floats) -> tuple[Floats, Floats]:
        """Predicts the probability and the rating of each sign for inputs with shape [n, features].

        Both results have shape [n, 3].
        """
        return self._judged(kernel(inputs, self.examples, float(self.gamma), self._squares))

    def outputs_and_urgency(self, inputs: Floats) -> tuple[Floats, Floats, Floats]:
        """Returns the result of `outputs`, and the similarity of each input to an urgent stop.

        The similarities are about 0 to 1 and have shape [n].
        """
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
    """Predicts corrections by kernel ridge regression over pairs of an utterance and a direction in its words.

    Attributes:
        examples: Features of the training pairs, shape [pairs, features].
        weight: Dual weights, shape [pairs, 2], for "more of the direction" and "less of the direction".
        bias: Bias of each column of `weight`, shape [2].
        gamma: Parameter of the kernel, shape [].
        least: Minimum output that counts as a correction, shape [].
    """

    IN_FULL: ClassVar = frozenset({"bias", "gamma", "least"})

    examples: Floats
    weight: Floats
    bias: Floats
    gamma: Floats
    least: Floats

    def axes(self, features: Mapping[Axis, Floats]) -> list[Axis]:
        """Returns the corrections of an utterance, most certain first. Empty if no correction is certain enough.

        Args:
            features: Result of `features_of`.
        """
        if not features:
            return []
        outputs = self.outputs(np.array(list(features.values())))
        best = sorted(zip(outputs.max(axis=1), outputs.argmax(axis=1), features, strict=True), key=lambda one: -one[0])
        return [OPPOSITE[axis] if less else axis for output, less, axis in best if output >= self.least]

    def outputs(self, features: Floats) -> Floats:
        """Predicts how much the speaker wants more and less of a direction, for features with shape [n, features].

        The values are about 0 to 1 and have shape [n, 2].
        """
        outputs: Floats = kernel(features, self.examples, float(self.gamma)) @ self.weight + self.bias
        return outputs


def layers_of(embedder: SentenceEmbedder, reading: FeedbackReading) -> Floats:
    """Returns the output vectors of the last network layers, normalized, scaled and concatenated."""
    layers = embedder.embed_layers(reading.text)[_FIRST_LAYER:]
    row: Floats = _SCALE * (layers / np.linalg.norm(layers, axis=1, keepdims=True)).ravel()
    return row


def features_of(row: Floats, words: str) -> dict[Axis, Floats]:
    """Returns the features of each direction that an utterance names. The features are the input of the axis head.

    Args:
        row: Result of `Heads.inputs` for the utterance, shape [features].
        words: Text of the `FeedbackReading`.
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
    """Yields the directions that an utterance names. Skips a direction if the opposite direction is also named."""
    for pair in _FAMILIES:
        found = [axis for axis in pair if _NAMES[axis].search(words)]
        if len(found) == 1:
            yield found[0]


def kernel(left: Floats, right: Floats, gamma: float, right_squares: Floats | None = None) -> Floats:
    """Returns the Gaussian kernel between all rows of two matrices, as a matrix with shape [n, m].

    If `right` has thousands of rows, pass its cached squared norms as `right_squares`.
    """
    if right_squares is None:
        right_squares = (right * right).sum(axis=1)
    squares = (left * left).sum(axis=1)[:, None] + right_squares - 2.0 * left @ right.T
    likeness: Floats = np.exp(-np.float32(gamma) * squares)
    return likeness
