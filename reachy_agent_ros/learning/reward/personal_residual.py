"""What the heads that serve everybody leave unexplained of one person's own labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from reachy_agent_ros.learning.reward.heads import SIGNS, Floats, Heads, kernel
from reachy_agent_ros.learning.reward.labels import Label

_PENALTY = 0.5
"""Of the ridge, in labels: one person's one label is not believed to the letter."""

_STRIDE = 16
"""Every so many-th of the package's utterances holds the heads as they are: nothing moves but a person's own words."""

_HELD = 4.0
"""Penalty of these: a person's own label of a sentence counts for more than one of the package's like it."""

_RESERVE = 5.0
"""Labels that a person's generosity is assumed to have been seen in before, as everybody's."""

_RATED = ((3, -1), (4, 1))
"""Columns of the ratings, and the sign under which each holds."""


@dataclass(frozen=True)
class PersonalResidual:
    """Regression on residuals of words, and an offset of all ratings.

    What a word means to a person ("wicked") is learned where that word is, by ridge regression under the heads' own
    kernel. How generously they rate is the same whatever they say: the mean of what is left, shrunk towards 0.

    Attributes:
        rows: What was seen of each of their labels, shape [labels, features].
        weight: Shape [utterances that hold + labels, 5]: the three signs, the rating under blame and under praise.
        generosity: Added to the rating under blame and under praise, shape [2].
    """

    rows: Floats
    weight: Floats
    generosity: Floats

    @classmethod
    def fitted(cls, heads: Heads, rows: Floats, labels: Sequence[Label]) -> PersonalResidual:
        """Explains labels, of which the heads see `rows`, shape [labels, features]."""
        holding = _holding(heads)
        seen = np.vstack([heads.examples[holding], rows])
        held = len(seen) - len(rows)
        penalty = np.concatenate([np.full(held, _HELD), np.full(len(rows), _PENALTY)]).astype(np.float32)
        left, generosity = _left_over(heads, rows, labels)
        targets = np.vstack([np.zeros((held, left.shape[1]), np.float32), left])
        likeness = kernel(seen, seen, float(heads.gamma)) + np.diag(penalty)
        return cls(rows, np.linalg.solve(likeness, targets).astype(np.float32), generosity)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Floats]) -> PersonalResidual:
        """What `arrays` gave.

        Raises:
            TypeError: These are others.
        """
        return cls(**arrays)

    def arrays(self) -> dict[str, Floats]:
        """All of it, by name."""
        return asdict(self)

    def added_to(self, heads: Heads) -> Heads:
        """The heads as this person means it. What is like an urgent stop is judged as before."""
        held = len(self.weight) - len(self.rows)
        weight = heads.weight.copy()
        weight[_holding(heads)] += self.weight[:held]
        bias = heads.bias.copy()
        bias[len(SIGNS) :] += self.generosity
        return replace(
            heads,
            examples=np.vstack([heads.examples, self.rows]),
            weight=np.vstack([weight, self.weight[held:]]),
            bias=bias,
        )


def _holding(heads: Heads) -> slice:
    """Which of the package's utterances hold; what people added lies behind them."""
    return slice(0, len(heads.urgency), _STRIDE)


def _left_over(heads: Heads, rows: Floats, labels: Sequence[Label]) -> tuple[Floats, Floats]:
    """What is left of the labels, shape [labels, 5], and how generously this person rates, shape [2]."""
    signs = np.array([int(label.sign) for label in labels])
    ratings = np.array([label.rating for label in labels], np.float32)
    raw = kernel(rows, heads.examples, float(heads.gamma)) @ heads.weight + heads.bias
    left = np.zeros_like(raw)
    left[:, : len(SIGNS)] = (signs[:, None] == np.array(SIGNS)) - np.float32(1 / len(SIGNS)) - raw[:, : len(SIGNS)]
    generosity = np.zeros(len(_RATED), np.float32)
    for place, (column, sign) in enumerate(_RATED):
        own = signs == sign
        beyond = ratings[own] - raw[own, column]
        generosity[place] = beyond.sum() / (len(beyond) + _RESERVE)
        left[own, column] = beyond - generosity[place]
    return left, generosity
