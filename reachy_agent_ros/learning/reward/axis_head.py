"""Which way to correct, where no grammar knows the words: is more wanted of the direction that is named, or less?

A sentence's vector blurs left with right, so nothing learned has to tell them apart: words say which direction is
named ("you crept past it on the left"), and what is learned says what the speaker wants of it. That is the same thing
for left and right, and for loud and fast, so that all sentences teach all directions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from reachy_agent_ros.learning.axis import Axis
from reachy_agent_ros.learning.reward.axis_grammar import OPPOSITE, axes_of
from reachy_agent_ros.learning.reward.cues import CUES
from reachy_agent_ros.learning.reward.heads import Floats, kernel
from reachy_agent_ros.learning.reward.learned_arrays import LearnedArrays
from reachy_agent_ros.learning.reward.lexicon import rows_of

_NAMES = {Axis(name): re.compile(rf"\b(?:{words})\b") for name, words in rows_of("axis_names.tsv")}
_RELATIONS = tuple(re.compile(pattern) for _, pattern in rows_of("axis_relations.tsv"))
_FAMILIES = tuple((axis, OPPOSITE[axis]) for axis in list(_NAMES)[::2])

_STRONGEST = 64
"""Of the network's vectors, the strongest first: the others tell more of the topic than of what is wanted of it."""

_NETWORK, _CUES, _PATTERNS = np.float32(0.7), np.float32(0.5), np.float32(4.0)
"""Weight of each kind of feature in the kernel's distance."""


@dataclass(frozen=True)
class AxisHead(LearnedArrays):
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


def named_in(words: str) -> Iterator[Axis]:
    """The directions that an utterance names, of each pair of opposites at most one: where both are, neither helps."""
    for pair in _FAMILIES:
        found = [axis for axis in pair if _NAMES[axis].search(words)]
        if len(found) == 1:
            yield found[0]


def features_of(row: Floats, words: str) -> dict[Axis, Floats]:
    """What the head sees of each direction that an utterance names.

    Args:
        row: What `heads.Inputs` makes of the utterance, shape [features].
        words: As `Reading.text` holds them.
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
