"""A recording and what is said in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples, from_float

FRAME = SAMPLE_RATE // 100
"""Samples of 10 ms, over which loudness is judged."""

SPEECH_BELOW_PEAK = 35.0
"""What is less than so many dB below the loudest 10 ms counts as speech."""


@dataclass(frozen=True)
class Clip:
    """A recording and what is said in it.

    Attributes:
        speaker: Who says it.
        text: What; empty for a noise.
        samples: 16 kHz mono.
    """

    speaker: str
    text: str
    samples: Samples

    @property
    def seconds(self) -> float:
        """Its length."""
        return self.samples.size / SAMPLE_RATE

    @property
    def speech_end(self) -> float:
        """When its last sound of speech ends, s; true only where nothing but speech is in it."""
        loudness = _loudness(self.samples)
        return float(np.flatnonzero(loudness > loudness.max() - SPEECH_BELOW_PEAK)[-1] + 1) * FRAME / SAMPLE_RATE

    def padded(self, before: float, after: float) -> Clip:
        """The clip between silences, s."""
        lead, tail = (np.zeros(int(seconds * SAMPLE_RATE), np.int16) for seconds in (before, after))
        return replace(self, samples=np.concatenate([lead, self.samples, tail]))

    def with_noise(self, noise: Samples, snr: float) -> Clip:
        """The clip with noise at a ratio, dB, of their powers: the speech's while it lasts, the noise's over the clip.

        The sum is made as much quieter as it takes not to clip.
        """
        speech = self.samples.astype(np.float64)
        loudness = _loudness(self.samples)
        spoken = loudness > loudness.max() - SPEECH_BELOW_PEAK
        power = np.mean(10.0 ** (loudness[spoken] / 10.0))
        heard = np.resize(noise, speech.size).astype(np.float64)
        mixed = speech + heard * np.sqrt(power / np.mean(heard**2) / 10.0 ** (snr / 10.0))
        return replace(self, samples=from_float(mixed / max(32767.0, np.abs(mixed).max())))


def _loudness(samples: Samples) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Of every whole 10 ms, dB over one step of the 16 bits."""
    frames = samples[: samples.size // FRAME * FRAME].astype(np.float64).reshape(-1, FRAME)
    return np.asarray(10.0 * np.log10(np.mean(frames**2, axis=1) + 1.0))
