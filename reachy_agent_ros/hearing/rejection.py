"""Which of Whisper's texts are not to be believed."""

from __future__ import annotations

import re

from reachy_agent_ros.hearing.recogniser import Rejection

MOST_NO_SPEECH = 0.6
LEAST_LOG_PROBABILITY = -1.0
"""Either bound alone rejects: Whisper's own rule wants both and lets a seventh of the noise through."""

DOUBTED_NO_SPEECH = 0.2
SURE_LOG_PROBABILITY = -0.35
"""From the first on only a text that the model is sure of is believed: a tenth of the servos would pass otherwise."""

HALT = re.compile(r"\W*(?:stop|wait)(?:\W+(?:stop|wait))*\W*", re.IGNORECASE)
"""Alone it needs not be sure: to hold for nothing is a smaller mistake than not to hold."""

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
    unsure = log_probability < SURE_LOG_PROBABILITY and HALT.fullmatch(text) is None
    doubted = no_speech > DOUBTED_NO_SPEECH and unsure
    beyond = no_speech > MOST_NO_SPEECH or log_probability < LEAST_LOG_PROBABILITY
    return Rejection.NOISE if doubted or beyond or WORD.search(text) is None else Rejection.NONE
