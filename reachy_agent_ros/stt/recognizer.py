"""Protocol of speech recognizers, and their results."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from reachy_agent_ros.audio.samples import Samples


class TranscriptRejection(IntEnum):
    """Reason for rejecting a transcript, equivalent to the constants `Transcript.REJECTED_*`."""

    NONE = 0
    NOISE = 1
    EMPTY = 2


@dataclass(frozen=True)
class Recognition:
    """Result of a recognizer for one utterance.

    Attributes:
        text: Transcription. It is kept even if it is rejected, to show what the noise sounded like.
        rejection: Reason for rejecting the transcription.
        average_log_probability: Mean natural logarithm of the tokens' probabilities.
        no_speech_probability: Probability that there is no speech, 0 to 1.
        language: IETF language tag.
        decode_time: Time for decoding, s.
    """

    text: str
    rejection: TranscriptRejection
    average_log_probability: float
    no_speech_probability: float
    language: str
    decode_time: float

    @property
    def confidence(self) -> float:
        """Geometric mean of the tokens' probabilities, from 0 to 1."""
        return math.exp(min(0.0, self.average_log_probability))


class Recognizer(Protocol):
    """Protocol of speech recognizers. Use from one thread at a time."""

    def recognize(self, samples: Samples) -> Recognition:
        """Transcribes 16 kHz mono speech of at most `longest` seconds."""
        ...

    @property
    def longest(self) -> float:
        """Maximum length of an utterance (s)."""
        ...
