"""Stop detector: finds a stop, a report of danger or a cry of pain in a text, in six languages at once.

The lexicon decides the certain cases, and a small classifier the rest. In a long text, a sentence that is certainly a
stop is enough. Without the classifier, the lexicon decides alone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import numpy as np

from reachy_agent_ros.core.errors import AgentError
from training.stop.detector.classifier import WINDOW, StopClassifier, Vectors
from training.stop.detector.lexicon import StopLevel, StopLexicon
from training.stop.detector.plain_words import SHOUT, plain_words

TEXTS_KEPT = 64
"""Cached results. The nodes ask several times about the same text: about its draft, its reward and its record."""

_LEAST = {StopLevel.URGENT: 0.8, StopLevel.PLAIN: 0.6, StopLevel.CALM: 0.6}
"""Probability from which a text has a level, or a more urgent one.

Chosen on the voices and templates that the classifier was not trained on (`training/stop/README.md`).
"""

_LOGGER = logging.getLogger(__name__)


class StopDetector:
    """Finds stops in texts.

    Args:
        lexicon: Phrases that are certainly a stop.
        classifier: Decides all other texts. None: the lexicon decides alone.
    """

    def __init__(self, lexicon: StopLexicon, classifier: StopClassifier | None) -> None:
        self._lexicon = lexicon
        self._classifier = classifier
        self.level = lru_cache(maxsize=TEXTS_KEPT)(self._level)
        self._words = lru_cache(maxsize=TEXTS_KEPT)(lambda text: plain_words(text))

    def probabilities(self, words: Sequence[str]) -> Vectors:
        """Returns the probability of each level, one or zero where the lexicon decides.

        Args:
            words: Words from `plain_words`.
        """
        level = self._lexicon.level(words)
        if level is None and (self._classifier is None or len(words) > WINDOW):
            level = max(self._lexicon.level(sentence) or StopLevel.NONE for sentence in _sentences(words)) or None
        if level is None and self._classifier is not None and any(map(str.isalpha, "".join(words))):
            return self._classifier.probabilities(words)
        certain: Vectors = np.eye(len(StopLevel), dtype=np.float32)[level or StopLevel.NONE]
        return certain

    def _level(self, text: str) -> StopLevel:
        """Returns the urgency of the most urgent stop in a text. A plain stop is urgent if it is shouted.

        Takes time linear in the text's length.

        Args:
            text: Typed or transcribed text of any length, language and script.
        """
        words = self._words(text)
        at_least = np.cumsum(self.probabilities(words)[::-1])[::-1]
        level = next((level for level, least in _LEAST.items() if at_least[level] >= least), StopLevel.NONE)
        shouted = "!" in words or SHOUT in words
        return StopLevel.URGENT if level is StopLevel.PLAIN and shouted else level

    def is_certain_stop(self, text: str) -> bool:
        """Returns whether a text consists of stop phrases of the lexicon."""
        return (self._lexicon.level(self._words(text)) or StopLevel.NONE) > StopLevel.NONE


def _sentences(words: Sequence[str]) -> Iterator[list[str]]:
    """Yields sentences with the mark at their end."""
    sentence: list[str] = []
    for word in words:
        sentence.append(word)
        if word in (".", "!", "?"):
            yield sentence
            sentence = []
    yield sentence


@cache
def stop_detector() -> StopDetector:
    """Returns the detector of this process. Reports a missing or damaged classifier once, and works without it."""
    lexicon = StopLexicon()
    try:
        return StopDetector(lexicon, StopClassifier())
    except AgentError as error:
        _LOGGER.error("The stop detector knows only the phrases of its lexicon: %s", error.message)
        return StopDetector(lexicon, None)
