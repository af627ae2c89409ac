"""Whisper's hallucinations: texts that are not to be believed, and repetition loops."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from reachy_agent_ros.stt.recogniser import TranscriptRejection

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

SINGLE_REPEATS = 4
"""From this many on, repeats of a single token are a loop: "no, no, no" is speech."""

CUT_OVERLAP = 2
"""From this many tokens on, the start of a sentence said again is a loop, where the decoder was cut off there."""


def rejection_of(text: str, log_probability: float, no_speech: float) -> TranscriptRejection:
    """Whether and why a text is not to be believed.

    Args:
        text: What was written.
        log_probability: Natural logarithm, mean a token.
        no_speech: Probability, 0..1, that nobody speaks.
    """
    if not any(character.isalnum() for character in text):
        return TranscriptRejection.EMPTY
    doubtful = no_speech > MOST_NO_SPEECH or log_probability < _least(text, no_speech)
    return TranscriptRejection.NOISE if doubtful or WORD.search(text) is None else TranscriptRejection.NONE


def without_repeated_tail(tokens: Sequence[int], *, cut_off: bool) -> list[int]:
    """Drops the tail of a token sequence that only says again what stands right before it.

    Whisper decoded with a window shorter than its training's 30 s sometimes misses the end of the sentence and says
    it again until its tokens run out, the last time cut short.

    Args:
        tokens: As decoded.
        cut_off: Whether the decoder was stopped by its bound instead of ending by itself.

    Returns:
        A prefix of `tokens`: all of them where nothing is repeated.
    """
    for period in range(1, len(tokens)):
        repeated = _overlap(tokens, period)
        enough = SINGLE_REPEATS if period == 1 else min(period, CUT_OVERLAP) if cut_off else period
        if repeated >= enough:
            return list(tokens[: len(tokens) - repeated])
    return list(tokens)


def _least(text: str, no_speech: float) -> float:
    """Of the log probabilities that are believed."""
    if HALT.fullmatch(text):
        return HALT_LOG_PROBABILITY if no_speech > DOUBT[1] else LEAST_LOG_PROBABILITY
    return float(np.interp(no_speech, DOUBT, (LEAST_LOG_PROBABILITY, SURE_LOG_PROBABILITY)))


def _overlap(tokens: Sequence[int], period: int) -> int:
    """Length of the run at the end of the tokens in which each equals the token `period` places before it."""
    count = 0
    while count < len(tokens) - period and tokens[-1 - count] == tokens[-1 - count - period]:
        count += 1
    return count
