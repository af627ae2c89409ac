"""Completeness classifier: the probability that a speaker has finished, by the words so far.

"Turn left and then" and "my name is" are unfinished; "turn left" and "yes" are complete. A small recurrent network over
hashed subwords reads the words in order, in six languages. `training/turn/` trains it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.stop.plain_words import MARKS, SHOUT, plain_words
from reachy_agent_ros.nlu.subwords import SubwordNetwork, Vectors, sigmoid

FILE = Path(__file__).with_name("completeness.npz")
"""Weights, trained by `training/turn/train.py`."""

_SHA256 = "848f580c49952d543236405dfa92c94360dd9da1a5fd273c870cecbd37fbb278"

LANGUAGES = ("en", "de", "fr", "es", "it", "pt")
"""ISO 639-1 codes of the languages of the training sentences."""

LONGEST_TEXT = 2_000
"""Maximum length of a text, characters. A turn of two minutes is shorter."""

WINDOW = 40
"""Number of words, from the end of the text, that are read."""

TRAILING_OFF = "..."
"""Word for an ellipsis or a dash at the end, with which recognizers mark a sentence that breaks off."""

_BREAKS_OFF = re.compile(r"(?:\.\.+|\u2026|\s[-\u2013\u2014]|[\u2013\u2014])\s*$")

_YES = re.compile(r"\bs[\u00ed\u00ec]\b", re.IGNORECASE)
"""Match of the Spanish and Italian word for "yes". Without its accent, it would mean "if"."""

_WORDS_KEPT = 4_096


class CompletenessClassifier:
    """Gated recurrent unit over the words of a text.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the weights file is missing or its checksum is wrong.
    """

    def __init__(self) -> None:
        self._network = SubwordNetwork(FILE, _SHA256)
        self._weights = self._network.weights
        self._driven = lru_cache(maxsize=_WORDS_KEPT)(self._drive)

    def probability(self, text: str) -> float:
        """Returns the probability that the speaker of a text has finished, 0 to 1.

        Args:
            text: Transcript so far, in any of the six languages, with or without punctuation.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the text has no words, or more than `LONGEST_TEXT` characters.
        """
        if len(text) > LONGEST_TEXT:
            message = f"The text has {len(text)} characters: expected at most {LONGEST_TEXT}. Pass only the last turn."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        words = words_so_far(text)
        if not any(word not in MARKS and word != TRAILING_OFF for word in words):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"The text {text!r:.40} has no words: expected speech.")
        state = np.zeros(self._weights["gru.weight_hh_l0"].shape[1], np.float32)
        for word in words[-WINDOW:]:
            state = self._next(state, self._driven(word))
        score = float(self._weights["out.weight"][0] @ state + self._weights["out.bias"][0])
        return 1.0 / (1.0 + float(np.exp(-score)))

    def _next(self, state: Vectors, driven: Vectors) -> Vectors:
        kept = self._weights["gru.weight_hh_l0"] @ state + self._weights["gru.bias_hh_l0"]
        size = state.size
        reset, update = np.split(sigmoid(driven[: 2 * size] + kept[: 2 * size]), 2)
        candidate = np.tanh(driven[2 * size :] + reset * kept[2 * size :])
        following: Vectors = candidate + update * (state - candidate)
        return following

    def _drive(self, word: str) -> Vectors:
        """Returns the part of the gates that only depends on the word."""
        driven: Vectors = (
            self._weights["gru.weight_ih_l0"] @ self._network.vector(word) + self._weights["gru.bias_ih_l0"]
        )
        return driven


def words_so_far(text: str) -> list[str]:
    """Returns the words and marks that the network reads. `TRAILING_OFF` replaces an ellipsis or a dash at the end."""
    ending = _BREAKS_OFF.search(text)
    said = text if ending is None else text[: ending.start()]
    words = [word for word in plain_words(_YES.sub("yes", said)) if word != SHOUT]
    return words if ending is None else [*words, TRAILING_OFF]
