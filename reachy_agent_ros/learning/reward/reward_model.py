"""Reward model, which scores utterances as feedback on the robot's last action.

Also contains the labels for training and testing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.weights import check_sum
from reachy_agent_ros.learning.reward.cues import axes_of, meant_of
from reachy_agent_ros.learning.reward.heads import RATED, SIGNS, AxisHead, Floats, Heads, features_of, kernel
from reachy_agent_ros.learning.reward.reading import MARKS, FeedbackReader
from reachy_agent_ros.learning.score import CONCLUSIVE, Axis, Score, Sign, sign_of
from reachy_agent_ros.nlu.stop_rule import is_urgent_stop

FILE = Path(__file__).with_name("heads.npz")
"""Weights of the heads, trained by `training/reward` only on utterances of this repository."""

DIRECTIONS_FILE = FILE.with_name("axis_head.npz")
"""Weights of the axis head, trained after the other heads by `training.reward.axes`."""

SHA256 = "450236d6b66ff3b3c57d1755cdec93b4dccbfe0ebcaecfdfc74562d9ae0ca43e"

DIRECTIONS_SHA256 = "b0f78c1fba16b612a313d97f9a2e1b25a62d767f05c55e214c8e4788fe8a284c"

URGENT = Score(Sign.NEGATIVE, -1.0, 1.0, (Axis.STOP,), stop=True)
"""Score of an urgent stop, which is detected by its words and without the model."""

LIKE_A_STOP = 0.6
"""Minimum urgency at which the model reports a stop that the word-based detector missed."""

SILENCE = Score(Sign.NEUTRAL, 0.0, 1.0)
"""Score of a text without a word or a known emoji."""

_DEVELOPMENT = Path(__file__).with_name("development.tsv")
"""File of utterances in styles that the heads were not trained on; never used for training."""

COLUMNS = ("text", "rating", "sign", "axes", "category", "style")
"""Columns of a label file. Only the first two are required, and the rating determines the sign."""


class RewardModel:
    """Reward model as a `Scorer`, implemented with NumPy. Needs about 10 ms of CPU time per utterance.

    Args:
        embedder: Sentence embedder; may be shared.
        heads: Learned heads; None for the heads of the package.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the package's heads are missing or do not match their checksum.
    """

    def __init__(self, embedder: SentenceEmbedder, heads: Heads | None = None) -> None:
        if heads is None:
            check_sum(FILE, SHA256)
            heads = Heads.load(FILE)
        check_sum(DIRECTIONS_FILE, DIRECTIONS_SHA256)
        self.heads = heads
        self._directions = AxisHead.load(DIRECTIONS_FILE)
        self._embedder = embedder
        self._reader = FeedbackReader(embedder.is_word)

    def with_heads(self, heads: Heads) -> RewardModel:
        """Creates a model with the given heads and the same network."""
        return RewardModel(self._embedder, heads)

    def score(self, text: str, act: str = "", person: str = "") -> Score:
        """Scores one utterance, regardless of the speaker. See `Scorer`."""
        if is_urgent_stop(text):
            return URGENT
        reading = self._reader.read(text)
        if MARKS.issuperset(reading.words):
            return SILENCE
        row = self.heads.inputs(self._embedder, reading, act)[None]
        shares, ratings, urgency = self.heads.outputs_and_urgency(row)
        if urgency[0] >= LIKE_A_STOP:
            return replace(URGENT, confidence=min(1.0, float(urgency[0])))
        best = int(shares[0].argmax())
        sign = Sign(SIGNS[best])
        rating = _within(sign, float(ratings[0, best]))
        axes = () if sign is Sign.NEUTRAL else self._axes(row[0], reading.text, act)
        return Score(sign, rating, float(shares[0, best]), axes)

    def _axes(self, row: Floats, words: str, act: str) -> tuple[Axis, ...]:
        """Returns the corrections found by patterns, or those of the axis head.

        The head decides if no pattern matches, and if all corrections that the patterns find contradict each other.
        """
        return axes_of(words, act) or meant_of(self._directions.axes(features_of(row, words)), act)

    def inputs(self, text: str, act: str = "") -> Floats:
        """Returns the features (shape [features]) of a text."""
        return self.heads.inputs(self._embedder, self._reader.read(text), act)


@dataclass(frozen=True)
class LabeledUtterance:
    """Label for training or testing: an utterance with its rating and corrections.

    Attributes:
        text: The words as spoken or typed.
        rating: Rating, -1..1.
        axes: Corrections for the next action.
        category: Kind of difficulty, for example "sarcasm"; empty if not given.
        style: Style of the speaker; empty if not given.
    """

    text: str
    rating: float
    axes: frozenset[Axis] = frozenset()
    category: str = ""
    style: str = ""

    @property
    def sign(self) -> Sign:
        """Sign of the rating."""
        return sign_of(self.rating)


def residuals(heads: Heads, rows: Floats, labels: Sequence[LabeledUtterance]) -> Floats:
    """Returns the differences between labels and predictions of the signs and of the ratings.

    The rating is predicted under the condition that the sign is known.

    Args:
        heads: Heads that make the predictions.
        rows: Features of the labels, shape [labels, features].
        labels: The labels.

    Returns:
        Shape [labels, 5], columns as in `Heads.weight`.
    """
    signs = np.array([int(label.sign) for label in labels])
    ratings = np.array([label.rating for label in labels], np.float32)
    raw = kernel(rows, heads.examples, float(heads.gamma)) @ heads.weight + heads.bias
    left = np.zeros_like(raw)
    left[:, : len(SIGNS)] = (signs[:, None] == np.array(SIGNS)) - np.float32(1 / len(SIGNS)) - raw[:, : len(SIGNS)]
    for column, sign in RATED:
        left[signs == sign, column] = (ratings - raw[:, column])[signs == sign]
    return left


def read_labels(path: Path) -> list[LabeledUtterance]:
    """Reads labels from a file of tab-separated values. The first line contains the names of the columns.

    Raises:
        OSError: The file cannot be read.
        KeyError: The column "text" or "rating" is missing.
        ValueError: A rating is not a number, or an axis is unknown.
    """
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    rows = (dict(zip(first.split("\t"), line.split("\t"), strict=False)) for line in lines if line)
    return [_label(row) for row in rows]


@cache
def development_labels() -> Sequence[LabeledUtterance]:
    """Returns the labels of the fixed test. A new model must be no worse than the active model in this test."""
    return read_labels(_DEVELOPMENT)


def _within(sign: Sign, rating: float) -> float:
    """Limits a rating to the range of the given sign."""
    if sign is Sign.NEUTRAL:
        return 0.0
    return sign * min(1.0, max(CONCLUSIVE, sign * rating))


def _label(row: dict[str, str]) -> LabeledUtterance:
    axes = frozenset(Axis(name.strip()) for name in row.get("axes", "").split(",") if name.strip())
    return LabeledUtterance(row["text"], float(row["rating"]), axes, row.get("category", ""), row.get("style", ""))
