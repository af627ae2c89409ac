"""Transcription of complete recordings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.stt.endpointer import Endpointer, EndpointEvent, Endpointing
from reachy_agent_ros.stt.recognizer import Recognition, Recognizer, TranscriptRejection
from reachy_agent_ros.stt.utterance import with_robot_name
from reachy_agent_ros.stt.voice_detectors import FRAME, FRAME_SECONDS, VoiceDetector

PAUSE = 0.8
"""Silence between two utterances, s: longer than in a conversation, so that sentences are not split."""


@dataclass(frozen=True)
class Transcription:
    """Transcription of a recording.

    Attributes:
        text: Text of the accepted utterances, joined by spaces; empty if rejected.
        confidence: Mean confidence of these utterances weighted by length, 0 to 1; 0 if rejected.
        reason: Reason for the rejection; empty if accepted.
        language: IETF language tag; empty if rejected.
    """

    text: str
    confidence: float
    reason: str = ""
    language: str = ""

    @property
    def rejected(self) -> bool:
        """Whether the recording contains no credible speech."""
        return bool(self.reason)


def transcribe(samples: Samples, detector: VoiceDetector, recognizer: Recognizer) -> Transcription:
    """Transcribes 16 kHz mono audio of any length, utterance by utterance."""
    heard = [(recognizer.recognize(part), part.size) for part in utterances(samples, detector, recognizer.longest)]
    if not heard:
        return Transcription("", 0.0, "The recording contains no speech.")
    believed = [(one, size) for one, size in heard if one.rejection is TranscriptRejection.NONE]
    if not believed:
        return Transcription("", 0.0, _doubt(heard[0][0]))
    text = " ".join(with_robot_name(one.text) for one, _ in believed)
    confidence = np.average([one.confidence for one, _ in believed], weights=[n for _, n in believed])
    return Transcription(text, float(confidence), language=believed[0][0].language)


def utterances(samples: Samples, detector: VoiceDetector, longest: float) -> Iterator[Samples]:
    """Splits 16 kHz mono audio into utterances of at most `longest` seconds."""
    rules = Endpointing(hangover=round(PAUSE / FRAME_SECONDS), longest=int(longest / FRAME_SECONDS), merge=0)
    endpointer = Endpointer(rules)
    detector.reset()
    padded = np.pad(samples, (0, -samples.size % FRAME))
    for start in range(0, padded.size, FRAME):
        frame = padded[start : start + FRAME]
        if endpointer.push(frame, detector.probability(frame)) is EndpointEvent.ENDED:
            yield endpointer.utterance
    if endpointer.finish() is EndpointEvent.ENDED:
        yield endpointer.utterance


def _doubt(recognition: Recognition) -> str:
    return (
        f"The sound resembles {recognition.text!r}, with a log probability of "
        f"{recognition.average_log_probability:.2f} per token and a no-speech probability of "
        f"{recognition.no_speech_probability:.2f}."
    )
