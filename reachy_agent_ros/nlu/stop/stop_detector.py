"""Stop detector: finds commands to stop, reports of danger, and exclamations of pain in texts in six languages.

The lexicon decides the certain cases. Any other text is a stop if the rules for English or a small classifier for all
languages find one. In a long text, a sentence that is certainly a stop is enough. Without the classifier, the lexicon
and the rules decide alone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import numpy as np

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.stop.classifier import WINDOW, StopClassifier
from reachy_agent_ros.nlu.stop.english_rules import english_level
from reachy_agent_ros.nlu.stop.lexicon import StopLevel, StopLexicon
from reachy_agent_ros.nlu.stop.plain_words import SHOUT, plain_words
from reachy_agent_ros.nlu.subwords import Vectors

TEXTS_KEPT = 64
"""Number of cached results. The nodes check the same text several times: as a draft, for a reward and for a record."""

_CERTAIN = 0.985
"""Minimum probability at which the classifier decides. It finds a stop in 0.24 % of 10,200 everyday sentences."""

_NO_STOP: Vectors = np.eye(len(StopLevel), dtype=np.float32)[StopLevel.NONE]
_LOGGER = logging.getLogger(__name__)


class StopDetector:
    """Detects stops in texts.

    Args:
        lexicon: Phrases that are certainly a stop.
        classifier: Decides about all other texts, together with the English rules; None for these rules alone.
    """

    def __init__(self, lexicon: StopLexicon, classifier: StopClassifier | None) -> None:
        self._lexicon = lexicon
        self._classifier = classifier
        self.level = lru_cache(maxsize=TEXTS_KEPT)(self._level)
        self._words = lru_cache(maxsize=TEXTS_KEPT)(lambda text: plain_words(text))

    def probability(self, text: str) -> float:
        """Returns the classifier's probability that a text is a stop, from 0 to 1. Without a classifier, returns 0."""
        return float(self._probabilities(self._words(text))[1:].sum())

    def _level(self, text: str) -> StopLevel:
        """Returns the urgency of the most urgent stop in a text. A plain stop that is shouted is urgent.

        Takes time linear in the text's length.

        Args:
            text: Typed or transcribed text of any length, language and script.
        """
        words = self._words(text)
        level = self._lexicon.level(words)
        if level is None:
            level = max(self._certain_sentence(words), english_level(text), self._classified(words))
        shouted = "!" in words or SHOUT in words
        return StopLevel.URGENT if level is StopLevel.PLAIN and shouted else level

    def _certain_sentence(self, words: Sequence[str]) -> StopLevel:
        """Returns the urgency of the most urgent lexicon sentence, in long texts or if there is no classifier.

        In a short text, the classifier is a better judge of what the sentences mean together.
        """
        if self._classifier is not None and len(words) <= WINDOW:
            return StopLevel.NONE
        return max(self._lexicon.level(sentence) or StopLevel.NONE for sentence in _sentences(words))

    def _classified(self, words: Sequence[str]) -> StopLevel:
        at_least = np.cumsum(self._probabilities(words)[::-1])[::-1]
        return StopLevel(max(level for level in StopLevel if level is StopLevel.NONE or at_least[level] >= _CERTAIN))

    def _probabilities(self, words: Sequence[str]) -> Vectors:
        if self._classifier is None or not any(map(str.isalpha, "".join(words))):
            return _NO_STOP
        return self._classifier.probabilities(words)

    def is_certain_stop(self, text: str) -> bool:
        """Returns whether a text consists of stop phrases in the lexicon."""
        return (self._lexicon.level(self._words(text)) or StopLevel.NONE) > StopLevel.NONE


def _sentences(words: Sequence[str]) -> Iterator[list[str]]:
    """Yields the sentences of a text, each with the punctuation mark at its end."""
    sentence: list[str] = []
    for word in words:
        sentence.append(word)
        if word in (".", "!", "?"):
            yield sentence
            sentence = []
    yield sentence


@cache
def stop_detector() -> StopDetector:
    """Returns this process's detector. If the classifier is missing or damaged, logs this once and works without it."""
    lexicon = StopLexicon()
    try:
        return StopDetector(lexicon, StopClassifier())
    except AgentError as error:
        _LOGGER.error("The stop detector works without its classifier: %s", error.message)
        return StopDetector(lexicon, None)
