"""Trains the classifier of small talk, and writes the file that the robot loads.

Run from the repository: `python -m training.small_talk.train FILE.npz`. It prints the file's SHA-256 and the result of
cross-validation.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.embedding import SentenceEmbedder, Vectors
from reachy_agent_ros.nlu.small_talk import sentences_by_topic
from reachy_agent_ros.nlu.topic_classifier import NONE, SCALE, certain_topic, topic_probabilities

PENALTY = 1.5
"""L2 penalty, in sentences."""

STEPS = 120
RATE = 0.3

FOLDS = 5

ALIKE = 0.9
"""Cosine from which sentences stay in the same fold: near copies would make the result too optimistic."""


def main() -> None:
    """Trains on all known sentences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    file: Path = parser.parse_args().file
    rows = sentences_by_topic()
    topics = sorted({topic for topic, _ in rows})
    vectors = SentenceEmbedder().embed([sentence for _, sentence in rows])
    labels = np.array([topics.index(topic) for topic, _ in rows])
    weight, bias = fit(SCALE * vectors, labels, len(topics))
    np.savez_compressed(file, topics=topics, weight=weight.astype(np.float16), bias=bias.astype(np.float16))
    print(f"{len(rows)} sentences, {hashlib.sha256(file.read_bytes()).hexdigest()}")
    print(cross_validation(vectors, labels, topics))


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


def cross_validation(vectors: Vectors, labels: NDArray[np.int64], topics: Sequence[str]) -> str:
    """Returns a description of the accuracy on sentences that were not used for training."""
    none = topics.index(NONE)
    found = np.empty_like(labels)
    folds = similar_groups(vectors) % FOLDS
    for fold in range(FOLDS):
        tested = folds == fold
        weight, bias = fit(SCALE * vectors[~tested], labels[~tested], len(topics))
        probabilities = topic_probabilities(vectors[tested], weight, bias)
        found[tested] = [certain_topic(row[np.newaxis], none) for row in probabilities]
    talk = labels != none
    right = 100.0 * np.mean(found[talk] == labels[talk])
    other = 100.0 * np.mean((found[talk] != labels[talk]) & (found[talk] != none))
    taken = 100.0 * np.mean(found[~talk] != none)
    return f"small talk: {right:.0f} % right, {other:.0f} % another topic; for a model: {taken:.0f} % a topic"


def similar_groups(vectors: Vectors) -> NDArray[np.int64]:
    """Returns the group number of each sentence, from 0. Similar sentences are in the same group."""
    groups = np.arange(len(vectors))
    for index in range(len(vectors)):
        alike = np.unique(groups[: index + 1][vectors[: index + 1] @ vectors[index] >= ALIKE])
        groups[np.isin(groups, alike)] = index
    return np.unique(groups, return_inverse=True)[1]


if __name__ == "__main__":
    main()
