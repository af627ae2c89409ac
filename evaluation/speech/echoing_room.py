"""Simulated room with speech of the robot and the echo of its voice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.audio.resampler import resample
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.tts.voice import Piper

SENTENCES = (
    "I see a red cup, a duck and two apples on the table.",
    "Sure, I will turn to the left and tell you what is there.",
    "My antennas are up because I am happy to see you.",
    "Let me think about it for a moment.",
    "No, I have not seen your keys. Did you look under the book?",
    "One, two, three, four, five, six, seven, eight, nine, ten.",
    "Once upon a time, a small robot lived on a desk near a lamp.",
    "Every morning it woke up, stretched its neck and said hello.",
    "Please wait until I have finished moving, then try again.",
    "The battery is full, all motors are fine and the camera works.",
    "In the afternoon people came by and asked it to tell a story.",
    "What a lovely idea! Shall we begin with the blue one?",
    "It is a quarter past four, and you have a meeting at five.",
    "I am sorry, I did not understand the last part of that.",
)

LOUDSPEAKER = (300.0, 5500.0)
"""Frequency range of a small loudspeaker, Hz."""

SCATTER = 0.25
"""Amplitude of each reflection relative to the direct sound."""


@dataclass(frozen=True)
class Room:
    """Acoustic path from the robot's loudspeaker to its microphone.

    Attributes:
        delay: Delay of the direct sound by buffers, drivers and air, s.
        reverberation: Time in which the echoes decay by 60 dB, s.
        seed: Seed of the pattern of reflections.
    """

    delay: float
    reverberation: float
    seed: int = 0

    def hear(self, said: Samples, level: float) -> Samples:
        """Returns the robot's voice as recorded by the microphone, `level` dB above its output level."""
        time = np.arange(int(self.reverberation * SAMPLE_RATE)) / SAMPLE_RATE
        decay = 10.0 ** (-3.0 * time / self.reverberation)
        response = SCATTER * np.random.default_rng(self.seed).standard_normal(time.size) * decay
        response[0] = 1.0
        size = said.size + 2 * response.size
        frequency = np.fft.rfftfreq(size, 1.0 / SAMPLE_RATE)
        low, high = LOUDSPEAKER
        speaker = 1.0 / np.sqrt((1.0 + (low / np.maximum(frequency, 1.0)) ** 4) * (1.0 + (frequency / high) ** 4))
        transfer = np.fft.rfft(response, size) * speaker
        transfer *= 10.0 ** (level / 20.0) / np.sqrt(np.mean(np.abs(transfer) ** 2))
        heard = np.fft.irfft(np.fft.rfft(said, size) * transfer, size)
        late = np.concatenate([np.zeros(round(self.delay * SAMPLE_RATE)), heard])[: said.size]
        return mixed(late)


def robot_speech(voice: Piper, seconds: float, rng: np.random.Generator) -> Samples:
    """Returns speech of the robot: successive sentences at varying speeds, with short pauses."""
    pieces = _sentences(voice, rng)
    spoken: list[Samples] = [np.zeros(SAMPLE_RATE // 2, np.int16)]
    while sum(piece.size for piece in spoken) < seconds * SAMPLE_RATE:
        spoken.append(next(pieces))
    return np.concatenate(spoken)[: int(seconds * SAMPLE_RATE)]


def mixed(*sounds: NDArray[np.float64] | Samples) -> Samples:
    """Mixes sounds of equal length."""
    total = np.sum([sound.astype(np.float64) for sound in sounds], axis=0)
    return np.asarray(np.rint(np.clip(total, -32768.0, 32767.0)), np.int16)


def _sentences(voice: Piper, rng: np.random.Generator) -> Iterator[Samples]:
    while True:
        for text in SENTENCES:
            sound = voice.synthesize(text, float(rng.uniform(0.85, 1.2)))
            yield resample(sound, voice.sample_rate, SAMPLE_RATE)
            yield np.zeros(int(rng.uniform(0.15, 0.6) * SAMPLE_RATE), np.int16)
