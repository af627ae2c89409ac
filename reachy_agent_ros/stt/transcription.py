"""A whole recording as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.stt.endpointer import Endpointer, EndpointEvent, Endpointing
from reachy_agent_ros.stt.recogniser import Recogniser, Recognition, TranscriptRejection
from reachy_agent_ros.stt.utterance import with_robot_name
from reachy_agent_ros.stt.voice_detectors import FRAME, FRAME_SECONDS, VoiceDetector

PAUSE = 0.8
"""Seconds of silence between two utterances: nobody waits for a recording, so sentences stay whole."""


@dataclass(frozen=True)
class Transcription:
    """What a recording says.

    Attributes:
        text: What was said, utterances joined by spaces; empty if rejected.
        confidence: 0..1, mean over the utterances by their length; 0 if rejected.
        reason: Why it was rejected, empty if it was not.
        language: IETF tag; empty if rejected.
    """

    text: str
    confidence: float
    reason: str = ""
    language: str = ""

    @property
    def rejected(self) -> bool:
        """Whether nothing in it is speech to be believed."""
        return bool(self.reason)


def transcribe(samples: Samples, detector: VoiceDetector, recogniser: Recogniser) -> Transcription:
    """Transcribes 16 kHz mono sound of any length, utterance by utterance."""
    heard = [(recogniser.recognise(part), part.size) for part in utterances(samples, detector, recogniser.longest)]
    if not heard:
        return Transcription("", 0.0, "Nobody speaks.")
    believed = [(one, size) for one, size in heard if one.rejection is TranscriptRejection.NONE]
    if not believed:
        return Transcription("", 0.0, _doubt(heard[0][0]))
    text = " ".join(with_robot_name(one.text) for one, _ in believed)
    confidence = np.average([one.confidence for one, _ in believed], weights=[n for _, n in believed])
    return Transcription(text, float(confidence), language=believed[0][0].language)


def utterances(samples: Samples, detector: VoiceDetector, longest: float) -> Iterator[Samples]:
    """The stretches of speech in 16 kHz mono sound, none of them longer than `longest` seconds."""
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
        f"It sounds like {recognition.text!r}, with a log probability of {recognition.average_log_probability:.2f} a "
        f"token and a probability of {recognition.no_speech_probability:.2f} that nobody speaks."
    )
