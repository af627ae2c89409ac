"""Classifier of free phrases: which plain command a phrase stands for, and the exemplars that it was trained on."""

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
"""Trained by `training/reflex`, on nothing but sentences of this repository."""

_SHA256 = "aa58b7781ad1fa28f7fc5afcc3a48d864ad9388abe695da8c1e305026ef35722"
_SCALE = np.float32(8.0)
"""Of the sentence's vector and of its words: they count alike, and more than the mood."""

_MOOD_SCALE = np.float32(2.0)


class CommandClassifier:
    """Multinomial logistic regression on a phrase's vector, its words and pairs of words, and its mood.

    The words are there because vectors hardly tell up from down, or see a "not".

    Args:
        embedder: Makes the vector.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: its file is missing or another than the pinned one.
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
        """Of each plain command, `NOTHING` among them.

        Args:
            masked: The phrase as `slots.Slots` masks it.
            mood: Of the whole phrase.
        """
        row = features(self._embedder.embed([masked]), [masked], [mood], self._index)[0]
        scores = row @ self._weight + self._bias
        weights = np.exp(scores - scores.max())
        return dict(zip(self._classes, map(float, weights / weights.sum()), strict=True))


def grams_of(masked: str) -> set[str]:
    """The words and pairs of words of a phrase; its beginning and its end make pairs too."""
    words = ["<", *masked.split(), ">"]
    return set(words[1:-1]) | {f"{first} {second}" for first, second in pairwise(words)}


def features(vectors: Vectors, masked: Sequence[str], moods: Sequence[Mood], index: Mapping[str, int]) -> Vectors:
    """What the classifier sees of phrases, shape [n, 384 + grams + moods].

    Args:
        vectors: Of the masked phrases.
        masked: The phrases.
        moods: Their moods.
        index: Column of each gram; others do not count.
    """
    words = np.zeros((len(masked), len(index)), np.float32)
    for row, phrase in zip(words, masked, strict=True):
        known = [index[gram] for gram in grams_of(phrase) if gram in index]
        row[known] = 1.0 / np.sqrt(max(len(known), 1))
    mood = np.array([[one is other for other in Mood] for one in moods], np.float32)
    return np.hstack([_SCALE * vectors, _SCALE * words, _MOOD_SCALE * mood])


NOTHING = "none"
"""Stands where a plain command would, for what is not to be obeyed."""

_EXEMPLAR_FILE = Path(__file__).with_name("exemplars.txt")


@dataclass(frozen=True)
class Exemplar:
    """One phrase.

    Attributes:
        phrase: As somebody says it.
        plain: A command the rules know, with slots in braces, or `NOTHING`.
    """

    phrase: str
    plain: str


@cache
def exemplars() -> tuple[Exemplar, ...]:
    """All that come with the robot."""
    return tuple(_read(_EXEMPLAR_FILE.read_text(encoding="utf-8").splitlines()))


def _read(lines: list[str]) -> Iterator[Exemplar]:
    plain = NOTHING
    for line in filter(None, map(str.strip, lines)):
        if line.startswith("["):
            plain = line.strip("[]")
        elif not line.startswith("#"):
            yield Exemplar(line, plain)
