"""Trains the classifier of free phrases, and writes the file that the robot loads.

Run from the repository: `python -m training.reflex.train FILE.npz`. It prints the file's SHA-256.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.embedding import SentenceEmbedder, Vectors
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.classifier import features, grams_of
from reachy_agent_ros.nlu.vocabulary import Vocabulary
from training.reflex.labels import labeled

PENALTY = 1.5
"""L2 penalty, in phrases."""

STEPS = 120
RATE = 0.3
LEAST_SEEN = 2
"""Minimum number of phrases of an n-gram; one that occurs in a single phrase does not generalize."""


def fit(inputs: Vectors, labels: NDArray[np.int64], classes: int) -> tuple[Vectors, Vectors]:
    """Fits the weights and biases of a multinomial logistic regression.

    Adam is used on all phrases at once.

    Training starts from zero and is deterministic, so there is no seed.
    """
    count = len(inputs)
    parameters = [np.zeros((inputs.shape[1], classes), np.float32), np.zeros(classes, np.float32)]
    means = [np.zeros_like(one) for one in parameters]
    squares = [np.zeros_like(one) for one in parameters]
    wanted = np.eye(classes, dtype=np.float32)[labels]
    for step in range(1, STEPS + 1):
        error = (_softmax(inputs @ parameters[0] + parameters[1]) - wanted) / np.float32(count)
        gradients = [inputs.T @ error + np.float32(PENALTY / count) * parameters[0], error.sum(axis=0)]
        rate = RATE * (1 - 0.9 * step / STEPS)
        for parameter, gradient, mean, square in zip(parameters, gradients, means, squares, strict=True):
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.01) * (gradient * gradient - square)
            size = np.sqrt(square / np.float32(1 - 0.99**step)) + np.float32(1e-8)
            parameter -= np.float32(rate / (1 - 0.9**step)) * mean / size
    return parameters[0], parameters[1]


def _softmax(scores: Vectors) -> Vectors:
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities: Vectors = weights / weights.sum(axis=1, keepdims=True)
    return probabilities


def main() -> None:
    """Trains on all labeled phrases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    file: Path = parser.parse_args().file
    phrases = labeled(Vocabulary(emotions(), dances()))
    masked = [one.masked for one in phrases]
    seen = Counter(gram for phrase in masked for gram in grams_of(phrase))
    grams = sorted(gram for gram, times in seen.items() if times >= LEAST_SEEN)
    classes = sorted({one.plain for one in phrases})
    index = {gram: number for number, gram in enumerate(grams)}
    inputs = features(SentenceEmbedder().embed(masked), masked, [one.mood for one in phrases], index)
    weight, bias = fit(inputs, np.array([classes.index(one.plain) for one in phrases]), len(classes))
    np.savez_compressed(
        file, classes=classes, grams=grams, weight=weight.astype(np.float16), bias=bias.astype(np.float16)
    )
    print(f"{len(phrases)} phrases, {hashlib.sha256(file.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
