"""Classifier that maps free phrases to plain commands, and the exemplars for its training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.embedding import SentenceEmbedder, Vectors
from reachy_agent_ros.core.weights import check_sum
from reachy_agent_ros.nlu.request import Mood

FILE = Path(__file__).with_name("classifier.npz")
"""Weights, trained by `training/reflex` only on sentences of this repository."""

_SHA256 = "aa58b7781ad1fa28f7fc5afcc3a48d864ad9388abe695da8c1e305026ef35722"
_SCALE = np.float32(8.0)
"""Scale of the sentence vector and of the words, which have the same weight, and more than the mood."""

_MOOD_SCALE = np.float32(2.0)


class CommandClassifier:
    """Multinomial logistic regression on the embedding, words, word pairs and mood of a phrase.

    Words are included because embeddings hardly distinguish up from down, or represent a negation.

    Args:
        embedder: Sentence embedder.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the weights file is missing or its checksum is wrong.
    """

    def __init__(self, embedder: SentenceEmbedder) -> None:
        check_sum(FILE, _SHA256)
        self._embedder = embedder
        with np.load(FILE) as file:
            self._classes: list[str] = file["classes"].tolist()
            self._index = {gram: index for index, gram in enumerate(file["grams"].tolist())}
            self._weight: Vectors = file["weight"].astype(np.float32)
            self._bias: Vectors = file["bias"].astype(np.float32)

    def probabilities(self, masked: str, mood: Mood) -> Mapping[str, float]:
        """Returns the probability of each plain command and of `NOTHING`.

        Args:
            masked: Phrase as masked by `slots.Slots`.
            mood: Mood of the whole phrase.
        """
        row = features(self._embedder.embed([masked]), [masked], [mood], self._index)[0]
        scores = row @ self._weight + self._bias
        weights = np.exp(scores - scores.max())
        return dict(zip(self._classes, map(float, weights / weights.sum()), strict=True))


def grams_of(masked: str) -> set[str]:
    """Returns the words and word pairs of a phrase, including pairs with the start and end of the phrase."""
    words = ["<", *masked.split(), ">"]
    return set(words[1:-1]) | {f"{first} {second}" for first, second in pairwise(words)}


def features(vectors: Vectors, masked: Sequence[str], moods: Sequence[Mood], index: Mapping[str, int]) -> Vectors:
    """Returns the classifier's input, shape [n, 384 + grams + moods].

    Args:
        vectors: Vectors of the masked phrases, shape [n, 384].
        masked: Masked phrases.
        moods: Moods of the phrases.
        index: Column of each gram. Other grams are ignored.
    """
    words = np.zeros((len(masked), len(index)), np.float32)
    for row, phrase in zip(words, masked, strict=True):
        known = [index[gram] for gram in grams_of(phrase) if gram in index]
        row[known] = 1.0 / np.sqrt(max(len(known), 1))
    mood = np.array([[one is other for other in Mood] for one in moods], np.float32)
    return np.hstack([_SCALE * vectors, _SCALE * words, _MOOD_SCALE * mood])


NOTHING = "none"
"""Class of phrases that are not commands."""

_EXEMPLAR_FILE = Path(__file__).with_name("exemplars.txt")


@dataclass(frozen=True)
class Exemplar:
    """Training example for the classifier: a phrase with its meaning.

    Attributes:
        phrase: Phrase as a person says it.
        plain: Command that the rules know, with slots in braces, or `NOTHING`.
    """

    phrase: str
    plain: str


@cache
def exemplars() -> tuple[Exemplar, ...]:
    """Loads all exemplars of the package."""
    return tuple(_read(_EXEMPLAR_FILE.read_text(encoding="utf-8").splitlines()))


def _read(lines: list[str]) -> Iterator[Exemplar]:
    plain = NOTHING
    for line in filter(None, map(str.strip, lines)):
        if line.startswith("["):
            plain = line.strip("[]")
        elif not line.startswith("#"):
            yield Exemplar(line, plain)
