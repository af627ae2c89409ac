"""Classifier of clauses that no template matches: the probability of each intent, and the free text in the clause."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.multilingual_embedding import DIMENSIONS, MultilingualEmbedder
from reachy_agent_ros.nlu.subwords import GatedRecurrentUnit, SubwordNetwork, Vectors
from reachy_agent_ros.nlu.templates.slot_finder import NUMBER, FoundSlots
from reachy_agent_ros.nlu.text import Word

FILE = Path(__file__).parents[1] / "intents.npz"
"""Weights, trained by `training/intents/train.py`."""

_SHA256 = "a1fd1186829ad71069e9ce5ea0729c32d181625e5a5bbf42ce08920191f88f3d"

NONE = "none"
"""Class of sentences that are not commands."""

SEVERAL = "several"
"""Class of sentences with more than one command."""

TAGS = ("", "object", "text", "time", "name", "list", "items")
"""Kinds of free text; the first one is for all other words."""

LISTS = ("", "number", "direction", "object", "emotion", "axis", "dance", "known")
"""Names of lists that the network tells apart; the first one is for words of no list or another one."""

BUCKETS = 1 << 14
"""Number of buckets of hashed word and letter sequences."""

_LETTERS = 4
_MOST_KEPT = 256
"""Maximum number of sentences whose result is cached."""

_WORDS_KEPT = 4_096


@dataclass(frozen=True)
class Classified:
    """Result of the classifier.

    Attributes:
        probabilities: Probability of each intent.
        tags: Kind of free text that each word or mark belongs to, one of `TAGS`.
    """

    probabilities: Mapping[str, float]
    tags: Sequence[str]

    def span(self, kind: str) -> range | None:
        """Returns the places of the longest run of words with a tag, or None if no word has it."""
        best: range | None = None
        start = None
        for place, tag in enumerate([*self.tags, ""]):
            if tag == kind and start is None:
                start = place
            elif tag != kind and start is not None:
                if best is None or place - start > len(best):
                    best = range(start, place)
                start = None
        return best


def features_of(masked: Sequence[str]) -> NDArray[np.int64]:
    """Returns the hash buckets of the words, word pairs and letter sequences of a clause.

    Args:
        masked: Words with the names of lists in place of their values, see `FoundSlots`.
    """
    return np.unique([zlib.crc32(feature.encode()) % BUCKETS for feature in _sequences(masked)])


def _sequences(words: Sequence[str]) -> Iterator[str]:
    yield from words
    yield from map("{0[0]} {0[1]}".format, pairwise(["^", *words, "$"]))
    for word in words:
        padded = f"<{word}>"
        if len(word) > _LETTERS and word[0] != "{":
            yield from (f"~{padded[start : start + _LETTERS]}" for start in range(len(padded) - _LETTERS + 1))


def shown(word: str) -> str:
    """Returns a word as the network reads it. All numbers look alike."""
    return NUMBER if word[-1].isdigit() else word


class IntentClassifier:
    """Network over the words and the sentence vector of a clause.

    A gated recurrent unit reads hashed subwords in both directions. `training/intents/network.py` is the same network.

    Args:
        embedder: Sentence embedder.

    Attributes:
        intents: Names of the intents with the slots that they imply.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the weights file is missing or its checksum is wrong.
    """

    def __init__(self, embedder: MultilingualEmbedder) -> None:
        network = SubwordNetwork(FILE, _SHA256)
        self.intents = network.labels
        self._embedder = embedder
        self._weights = network.weights
        self._gru = GatedRecurrentUnit(network.weights, "gru")
        self._word = lru_cache(maxsize=_WORDS_KEPT)(network.vector)
        self._classified = lru_cache(maxsize=_MOST_KEPT)(self._classify)

    def classify(self, text: str, words: Sequence[Word], found: FoundSlots) -> Classified:
        """Classifies a clause.

        Args:
            text: Text that contains the clause.
            words: Words and marks of the clause; at least one is not a mark.
            found: Values of lists in the words that are not marks.
        """
        names = iter(found.names)
        listed = tuple("" if word.is_mark else next(names) for word in words)
        clause = text[words[0].start : words[-1].end]
        return self._classified(clause, tuple(word.text for word in words), listed, found.masked)

    def _classify(
        self, text: str, words: tuple[str, ...], names: tuple[str, ...], masked: tuple[str, ...]
    ) -> Classified:
        lists = self._weights["lists.weight"][[_LIST.get(name, 0) for name in names]]
        vectors = np.stack([self._word(shown(word)) for word in words])
        inputs = np.concatenate((vectors, lists), axis=1)[:, None]
        states = self._gru.states(inputs, np.ones_like(inputs[..., :1]))[:, 0]
        seen = self._embedder.embed([text])[0] * np.float32(DIMENSIONS**0.5)
        hidden = np.maximum(self._linear("dense", np.concatenate((states.max(axis=0), seen))), 0.0)
        scores = self._linear("out", hidden) + self._weights["meaning.weight"] @ seen
        scores += self._weights["sequence.weight"][features_of(masked)].sum(axis=0)
        likely = np.exp(scores - scores.max())
        probabilities = dict(zip(self.intents, (likely / likely.sum()).tolist(), strict=True))
        tags = (states @ self._weights["tags.weight"].T + self._weights["tags.bias"]).argmax(axis=1)
        return Classified(probabilities, [TAGS[tag] for tag in tags])

    def _linear(self, name: str, inputs: Vectors) -> Vectors:
        outputs: Vectors = self._weights[f"{name}.weight"] @ inputs + self._weights[f"{name}.bias"]
        return outputs


_LIST = {name: index for index, name in enumerate(LISTS)}
