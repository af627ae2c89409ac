"""What turns speech into text, whichever model does it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from reachy_agent_ros.audio.samples import Samples


class TranscriptRejection(IntEnum):
    """Why a text is not to be believed. Mirror of `Transcript.REJECTED_*`, less what no recogniser reports."""

    NONE = 0
    NOISE = 1
    EMPTY = 2


@dataclass(frozen=True)
class Recognition:
    """What a recogniser made of one utterance.

    Attributes:
        text: What was said; kept when rejected, to show what the noise sounded like.
        rejection: Whether and why the text is not to be believed.
        average_log_probability: Natural logarithm, a token.
        no_speech_probability: 0..1.
        language: IETF tag.
        decode_time: Seconds spent, of the steady clock.
    """

    text: str
    rejection: TranscriptRejection
    average_log_probability: float
    no_speech_probability: float
    language: str
    decode_time: float

    @property
    def confidence(self) -> float:
        """Geometric mean of the tokens' probabilities, 0..1."""
        return math.exp(min(0.0, self.average_log_probability))


class Recogniser(Protocol):
    """Turns one utterance into text. Serves one thread at a time."""

    def recognise(self, samples: Samples) -> Recognition:
        """Recognises 16 kHz mono speech of at most `longest` seconds."""
        ...

    @property
    def longest(self) -> float:
        """Seconds of speech it takes at once."""
        ...
