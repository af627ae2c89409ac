"""Recordings with their text."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples, from_float

FRAME = SAMPLE_RATE // 100
"""Number of samples in 10 ms, the window of loudness."""

SPEECH_BELOW_PEAK = 35.0
"""Maximum level below the loudest 10 ms that counts as speech, dB."""


@dataclass(frozen=True)
class Clip:
    """Recording with its text.

    Attributes:
        speaker: Name of the speaker.
        text: Spoken text; empty for a noise.
        samples: 16 kHz mono samples.
    """

    speaker: str
    text: str
    samples: Samples

    @property
    def seconds(self) -> float:
        """Duration of the clip in seconds."""
        return self.samples.size / SAMPLE_RATE

    @property
    def speech_end(self) -> float:
        """Time (s) at which the last speech sound ends. Only valid for a clip without noise."""
        loudness = _loudness(self.samples)
        return float(np.flatnonzero(loudness > loudness.max() - SPEECH_BELOW_PEAK)[-1] + 1) * FRAME / SAMPLE_RATE

    def padded(self, before: float, after: float) -> Clip:
        """Returns the clip with silence before and after the sound. Durations are in seconds."""
        lead, tail = (np.zeros(int(seconds * SAMPLE_RATE), np.int16) for seconds in (before, after))
        return replace(self, samples=np.concatenate([lead, self.samples, tail]))

    def with_noise(self, noise: Samples, snr: float) -> Clip:
        """Returns the clip with added noise. The sum is attenuated if it would exceed the range of the samples.

        `snr` is the ratio, dB, of the speech's power while it lasts to the noise's power over the clip.
        """
        speech = self.samples.astype(np.float64)
        loudness = _loudness(self.samples)
        spoken = loudness > loudness.max() - SPEECH_BELOW_PEAK
        power = np.mean(10.0 ** (loudness[spoken] / 10.0))
        heard = np.resize(noise, speech.size).astype(np.float64)
        mixed = speech + heard * np.sqrt(power / np.mean(heard**2) / 10.0 ** (snr / 10.0))
        return replace(self, samples=from_float(mixed / max(32767.0, np.abs(mixed).max())))


def _loudness(samples: Samples) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Returns the level (dB) of every complete 10 ms frame, relative to one step of a 16-bit sample."""
    frames = samples[: samples.size // FRAME * FRAME].astype(np.float64).reshape(-1, FRAME)
    return np.asarray(10.0 * np.log10(np.mean(frames**2, axis=1) + 1.0))
