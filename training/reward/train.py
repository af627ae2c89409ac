"""Trains the reward model, and writes the files that the robot loads.

Run from the repository: `python -m training.reward.train FOLDER`. It prints the accuracy for styles that were not used
in training, and the SHA-256 of the heads. Training is deterministic, so there is no seed.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.learning.reward.cues import cues_of
from reachy_agent_ros.learning.reward.heads import SIGNS, Floats, Heads, kernel, layers_of
from reachy_agent_ros.learning.reward.reading import FeedbackReader
from reachy_agent_ros.learning.reward.reward_model import COLUMNS, LabeledUtterance
from reachy_agent_ros.learning.score import Axis
from reachy_agent_ros.nlu.stop_rule import is_urgent_stop
from training.reward.ridge import ridge
from training.reward.utterances import DEVELOPMENT_STYLES, folds, row_of, utterances, without_copies

DIRECTIONS = 192
"""Number of principal directions of the network's vectors; more directions did not improve the result."""

GAMMA = 0.005
PENALTY = 0.3
"""Ridge penalty, in utterances."""

RATING_PENALTY = 1.0
URGENT = -0.9
"""Rating at or below which an utterance with the stop axis is an urgent stop."""

SHARPNESSES = np.arange(2.0, 10.0, 0.25)
LEAST_SPREAD = 0.05
"""Minimum standard deviation of a cue, so that a rare cue does not outweigh all others."""


class Trainer:
    """Trainer that computes the inputs of all utterances once, and reuses them in all folds.

    Args:
        labels: All utterances that are used.
        embedder: Network whose layers are part of the inputs.
        reader: Reader that normalizes the utterances.
    """

    def __init__(self, labels: Sequence[LabeledUtterance], embedder: SentenceEmbedder, reader: FeedbackReader) -> None:
        cues = np.array([cues_of(reader.read(label.text)) for label in labels], np.float32)
        self._center = cues.mean(axis=0)
        self._spread = np.maximum(cues.std(axis=0), LEAST_SPREAD)
        layers = np.array([layers_of(embedder, reader.read(label.text)) for label in labels])
        _, directions = np.linalg.eigh(np.cov(layers, rowvar=False))
        self._basis = directions[:, : -DIRECTIONS - 1 : -1].astype(np.float32)
        rows = np.hstack([layers @ self._basis, (cues - self._center) / self._spread])
        self._inputs = {label.text: row for label, row in zip(labels, rows, strict=True)}

    def inputs(self, labels: Sequence[LabeledUtterance]) -> Floats:
        """Returns the input features of the heads (shape [n, features])."""
        return np.array([self._inputs[label.text] for label in labels])

    def fit(self, labels: Sequence[LabeledUtterance], sharpness: float = 5.0) -> Heads:
        """Fits the heads to the labels. Stops that their words already reveal do not affect the sign."""
        examples = self.inputs(labels)
        judged = np.array([not is_urgent_stop(label.text) for label in labels])
        urgent = np.array([is_urgent(label) for label in labels], np.float32)
        signs = np.array([int(label.sign) for label in labels])
        ratings = np.array([label.rating for label in labels], np.float32)
        likeness = kernel(examples, examples, GAMMA)
        weight = np.zeros((len(labels), len(SIGNS) + 2), np.float32)
        bias = np.zeros(len(SIGNS) + 2, np.float32)
        targets = (signs[:, None] == np.array(SIGNS)) - np.float32(1 / len(SIGNS))
        weight[judged, : len(SIGNS)] = ridge(likeness[np.ix_(judged, judged)], targets[judged], PENALTY)
        for column, sign in enumerate((-1, 1), len(SIGNS)):
            own = np.flatnonzero(judged & (signs == sign))
            bias[column] = ratings[own].mean()
            weight[own, column] = ridge(likeness[np.ix_(own, own)], ratings[own] - bias[column], RATING_PENALTY)
        calm = urgent.mean()
        urgency = ridge(likeness, urgent - calm, PENALTY)
        gamma, sharp = np.asarray(GAMMA, np.float32), np.asarray(sharpness, np.float32)
        return Heads(examples, weight, bias, urgency, calm, gamma, sharp, self._basis, self._center, self._spread)


def is_urgent(label: LabeledUtterance) -> bool:
    """Returns whether the person wants the robot to stop immediately."""
    return Axis.STOP in label.axes and label.rating <= URGENT


def calibrated(trainer: Trainer, labels: Sequence[LabeledUtterance], reader: FeedbackReader) -> float:
    """Returns the sharpness with the highest likelihood of the true signs in held-out styles.

    Also prints the accuracy.
    """
    tested = [
        (trainer.fit(train), [label for label in test if not is_urgent_stop(label.text)])
        for train, test in folds(labels, reader)
    ]
    best = min(SHARPNESSES, key=lambda one: np.mean([loss for fold in tested for loss in _losses(trainer, *fold, one)]))
    for number, (heads, test) in enumerate(tested, 1):
        print(f"fold {number}: {_told(trainer, heads, test)}")
    return float(best)


def _losses(trainer: Trainer, heads: Heads, labels: Sequence[LabeledUtterance], sharpness: float) -> Iterator[float]:
    shares, _ = replace(heads, sharpness=np.asarray(sharpness, np.float32)).outputs(trainer.inputs(labels))
    return (-float(np.log(row[SIGNS.index(int(label.sign))])) for row, label in zip(shares, labels, strict=True))


def _told(trainer: Trainer, heads: Heads, labels: Sequence[LabeledUtterance]) -> str:
    shares, _ = heads.outputs(trainer.inputs(labels))
    right = np.array(SIGNS)[shares.argmax(axis=1)] == [int(label.sign) for label in labels]
    styles = ", ".join(sorted({label.style for label in labels}))
    return f"{right.mean():.3f} of {len(labels)} signs right that the stop net leaves: {styles}"


def main() -> None:
    """Trains on all styles except the development styles.

    Writes the heads, and the utterances of the development styles next to them.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    embedder = SentenceEmbedder()
    reader = FeedbackReader(embedder.is_word)
    every = utterances()
    kept = [label for label in every if label.style in DEVELOPMENT_STYLES]
    learned = without_copies([label for label in every if label.style not in DEVELOPMENT_STYLES], kept, reader)
    trainer = Trainer(learned, embedder, reader)
    heads = trainer.fit(learned, calibrated(trainer, learned, reader))
    heads.save(folder / "heads.npz")
    rows = ["\t".join(COLUMNS), *map(row_of, kept)]
    (folder / "development.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    digest = hashlib.sha256((folder / "heads.npz").read_bytes()).hexdigest()
    print(f"{len(learned)} utterances, {len(kept)} kept, sharpness {float(heads.sharpness)}, {digest}")


if __name__ == "__main__":
    main()
