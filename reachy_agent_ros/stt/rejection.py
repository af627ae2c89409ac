"""Which of Whisper's texts are not to be believed."""

from __future__ import annotations

import re

import numpy as np

from reachy_agent_ros.stt.recogniser import Rejection

MOST_NO_SPEECH = 0.6
LEAST_LOG_PROBABILITY = -1.0
"""Either bound alone rejects: Whisper's own rule wants both and lets a seventh of the noise through."""

DOUBT = (0.05, 0.2)
SURE_LOG_PROBABILITY = -0.35
"""Probabilities that nobody speaks between which a text must be surer and surer, up to that. Of 174 clips of speech all
are; of what a minute of servos is taken for, hardly anything."""

HALT = re.compile(r"\W*(?:stop|wait)(?:\W+(?:stop|wait))*\W*", re.IGNORECASE)
HALT_LOG_PROBABILITY = -0.8
"""Alone it needs not be as sure: to hold for nothing is a smaller mistake than not to hold. Stops that were called over
the robot's voice got -0.79 and more, most coughs that were written as one less."""

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
    doubtful = no_speech > MOST_NO_SPEECH or log_probability < _least(text, no_speech)
    return Rejection.NOISE if doubtful or WORD.search(text) is None else Rejection.NONE


def _least(text: str, no_speech: float) -> float:
    """Of the log probabilities that are believed."""
    if HALT.fullmatch(text):
        return HALT_LOG_PROBABILITY if no_speech > DOUBT[1] else LEAST_LOG_PROBABILITY
    return float(np.interp(no_speech, DOUBT, (LEAST_LOG_PROBABILITY, SURE_LOG_PROBABILITY)))
