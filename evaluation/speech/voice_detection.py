"""Voice detectors close to motors: false turns in noise, and detection of people in noise.

Run `scripts/evaluate voice_detection`. It takes about two minutes, faster than real time. Recordings are fetched once
(apt-get, 40 MB).
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from bench.report import Figure, print_report
from evaluation.speech.clip import Clip
from evaluation.speech.noises import MADE
from evaluation.speech.recorded_speech import human_clips
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples, from_float
from reachy_agent_ros.stt.endpointer import Endpointer, EndpointEvent, Endpointing
from reachy_agent_ros.stt.recognizer import TranscriptRejection
from reachy_agent_ros.stt.voice_detectors import FRAME, VOICE_DETECTORS, VoiceDetector
from reachy_agent_ros.stt.whisper import Whisper

SEED = 4
MINUTES = 3
LOUDNESS = 0.2  # of the noises' peaks, full scale
SNR = 10.0  # dB, of people beside a servo


def main(as_json: bool) -> int:
    """Measures all detectors. Always returns exit code 0."""
    rng = np.random.default_rng(SEED)
    sounds = {name: peaked(make(MINUTES * 60 * SAMPLE_RATE, rng)) for name, make in MADE.items()}
    servo = sounds["servo"]
    clips = [clip.padded(1.0, 1.0) for clip in human_clips()]
    beside = [clip.with_noise(servo[int(rng.integers(servo.size // 2)) :], SNR) for clip in clips]
    figures = [
        figure
        for name, make in VOICE_DETECTORS.items()
        for figure in (*false_turns(name, make(), sounds), *found(name, make(), clips, beside))
    ]
    print_report("voice_detection", figures, as_json)
    return 0


def false_turns(name: str, detector: VoiceDetector, sounds: dict[str, Samples]) -> Iterator[Figure]:
    """Measures the false turns in noise, with the detector alone and with rejection by the recognizer."""
    began = time.process_time()
    taken = {noise: utterances(detector, sound) for noise, sound in sounds.items()}
    cost = (time.process_time() - began) / (60.0 * MINUTES * len(sounds))
    taken["servo, known to move"] = utterances(detector, sounds["servo"], loud=True)
    recognizer = Whisper()
    for noise, turns in taken.items():
        believed = sum(recognizer.recognize(turn).rejection is TranscriptRejection.NONE for turn in turns)
        yield Figure(f"{name}, {noise}: utterances a minute", len(turns) / MINUTES, "")
        yield Figure(f"{name}, {noise}: of these believed", believed / MINUTES, "", 0.0 if name == "silero" else None)
    yield Figure(f"{name}: processor time of 1 s of sound", 1e3 * cost, "ms")


def found(name: str, detector: VoiceDetector, clean: list[Clip], beside: list[Clip]) -> Iterator[Figure]:
    """Measures how often people who speak are detected, and how often a turn starts before they speak."""
    for place, clips, loud in (
        ("alone", clean, False),
        (f"at {SNR:g} dB", beside, False),
        ("known to move", beside, True),
    ):
        noticed = early = 0
        for clip in clips:
            at = starts(detector, clip.samples, loud)
            noticed += any(1.0 <= start <= clip.seconds - 1.0 for start in at)
            early += any(start < 1.0 for start in at)
        servo = "" if place == "alone" else "beside a servo, "
        yield Figure(f"{name}, {servo}{place}: people noticed", 100.0 * noticed / len(clips), "%")
        yield Figure(f"{name}, {servo}{place}: turns before they spoke", 100.0 * early / len(clips), "%")


def starts(detector: VoiceDetector, sound: Samples, loud: bool = False) -> list[float]:
    """Returns the times (s) at which utterances start."""
    return [at for at, event, _ in heard(detector, sound, loud) if event is EndpointEvent.STARTED]


def utterances(detector: VoiceDetector, sound: Samples, loud: bool = False) -> list[Samples]:
    """Returns the detected utterances."""
    return [
        endpointer.utterance for _, event, endpointer in heard(detector, sound, loud) if event is EndpointEvent.ENDED
    ]


def heard(
    detector: VoiceDetector, sound: Samples, loud: bool
) -> Iterator[tuple[float, EndpointEvent | None, Endpointer]]:
    """Yields the time (s), the event and the endpointer for every audio frame."""
    endpointer = Endpointer(Endpointing())
    detector.reset()
    for number, frame in enumerate(sound[: sound.size // FRAME * FRAME].reshape(-1, FRAME)):
        yield (number + 1) * FRAME / SAMPLE_RATE, endpointer.push(frame, detector.probability(frame), loud), endpointer


def peaked(sound: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Samples:
    """Returns a noise scaled to the level of the comparison."""
    return from_float(sound * (LOUDNESS / max(1e-9, float(np.abs(sound).max()))))
