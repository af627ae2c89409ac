"""Which of Whisper's texts are not to be believed."""

from __future__ import annotations

import re

from reachy_agent_ros.hearing.recogniser import Rejection

MOST_NO_SPEECH = 0.2
LEAST_LOG_PROBABILITY = -1.0
"""Either bound alone rejects: Whisper's own rule wants both, and 0.6 of the first lets a tenth of the servos through.
Speech as loud as the noise around it stays below 0.15."""

WORD = re.compile(r"\w\w|\d|\bI\b")
"""Without one of these a text is a noise spelt out: "R-", "W-W"."""


def rejection_of(text: str, log_probability: float, no_speech: float) -> Rejection:
    """Whether and why a text is not to be believed.

    Args:
        text: What was written.
        log_probability: Natural logarithm, mean a token.
        no_speech: Probability, 0..1, that nobody speaks.
    """
    if not any(character.isalnum() for character in text):
        return Rejection.EMPTY
    if no_speech > MOST_NO_SPEECH or log_probability < LEAST_LOG_PROBABILITY or WORD.search(text) is None:
        return Rejection.NOISE
    return Rejection.NONE
