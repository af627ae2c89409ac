"""How the head moves with what it says: small offsets made from the sound itself.

The loudness of speech carries its rhythm: syllables follow one another four or five times a second, and people nod
with those they stress (Munhall et al., "Visual Prosody and Speech Intelligibility", 2004). So the head nods with the
syllables, and sways slowly from side to side, the further the louder, for as long as there is sound. The same sound
always makes the same movement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import FULL_SCALE, Samples
from reachy_agent_ros.core.pose import Vector

FRAME_SECONDS = 0.01
"""Loudness is taken a hundred times a second."""

QUIETEST, LOUDEST = -50.0, -12.0
"""dB below full scale between which loudness counts from 0 to 1: a breath, and the voice's stressed vowels."""

SYLLABLE, PHRASE = 0.24, 0.8
"""Lengths of the windows, s, that smooth loudness: the first lets a nod a syllable pass and nothing faster than the
neck can follow, the second the rise and fall of a phrase."""

NOD = math.radians(7.0)
TURN = math.radians(6.0)
TILT = math.radians(4.0)
LIFT = 0.004
"""Rotations about y, z and x and the rise along z, rad and m, at full loudness; speech reaches two thirds of it."""

TURN_RATE, TILT_RATE = 0.8, 1.3
"""Hz of the sway at full loudness. It stands still while nothing is heard, so that it keeps the rhythm of speech."""


@dataclass(frozen=True)
class HeadOffset:
    """What is added to the head's pose, in the head's own frame.

    Attributes:
        translation: x, y, z, m.
        rotation: Rotation vector, rad.
    """

    translation: Vector = field(default_factory=lambda: np.zeros(3))
    rotation: Vector = field(default_factory=lambda: np.zeros(3))


class SpeechMotion:
    """The movement that belongs to one piece of sound.

    Each offset is smoothed evenly to both sides of its moment, so nothing lags behind the sound: the movement begins
    a little before the first sample, and is exactly zero from `after` on.

    Args:
        samples: The sound, shape [n].
        sample_rate: Hz.
        phase: Of the sway when the sound begins, in full-loudness seconds: `SpeechMotion.phase` of the piece before it.

    Attributes:
        phase: Of the sway when the sound has ended.
        after: Seconds from the first sample to the end of the movement.
    """

    def __init__(self, samples: Samples, sample_rate: int, phase: float = 0.0) -> None:
        loudness = _loudness(samples, sample_rate)
        margin = round(PHRASE / 2 / FRAME_SECONDS)
        padded = np.pad(loudness, margin + 1)
        syllable, phrase = _smoothed(padded, SYLLABLE), _smoothed(padded, PHRASE)
        progress = phase + np.cumsum(phrase) * FRAME_SECONDS
        self.phase = float(progress[-1])
        self.after = (loudness.size + margin + 1) * FRAME_SECONDS
        self._times = (np.arange(padded.size) - margin - 0.5) * FRAME_SECONDS
        self._rows = np.stack(
            [
                LIFT * syllable,
                TILT * phrase * np.sin(2.0 * math.pi * TILT_RATE * progress),
                NOD * (syllable - 0.5 * phrase),
                TURN * phrase * np.sin(2.0 * math.pi * TURN_RATE * progress),
            ]
        )

    def at(self, seconds: float) -> HeadOffset:
        """Offset for the sound that is heard `seconds` after the first sample; zero before and after the movement."""
        lift, tilt, nod, turn = (float(np.interp(seconds, self._times, row, 0.0, 0.0)) for row in self._rows)
        return HeadOffset(np.array([0.0, 0.0, lift]), np.array([tilt, nod, turn]))


def _loudness(samples: Samples, sample_rate: int) -> NDArray[np.float64]:
    """Loudness of every frame, 0..1; the last frame is filled up with silence."""
    size = round(FRAME_SECONDS * sample_rate)
    frames = np.pad(samples, (0, -samples.size % size)).reshape(-1, size).astype(np.float32)
    power = np.mean(np.square(frames), axis=1, dtype=np.float64) / FULL_SCALE**2
    level = 10.0 * np.log10(np.maximum(power, 1e-12))
    return np.asarray(np.clip((level - QUIETEST) / (LOUDEST - QUIETEST), 0.0, 1.0))


def _smoothed(values: NDArray[np.float64], seconds: float) -> NDArray[np.float64]:
    """The mean about every value, weighted by a Hann window of `seconds`."""
    window = np.hanning(round(seconds / FRAME_SECONDS) + 1)
    return np.convolve(values, window / window.sum(), mode="same")
