"""The spectrogram that Whisper listens to."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import SAMPLE_RATE

WINDOW = 400
HOP = 160
FRAMES_PER_SECOND = SAMPLE_RATE // HOP


def log_mel(audio: NDArray[np.float32], bands: int) -> NDArray[np.float32]:
    """Log-mel spectrogram as Whisper was trained on (Radford et al. 2022, section 2.2).

    Args:
        audio: 16 kHz, -1..1, shape [n]; a multiple of 160 samples.
        bands: Mel bands, 80 for all Whisper models but the newest.

    Returns:
        Shape [bands, n / 160], within 2 of its maximum.
    """
    padded = np.pad(audio, WINDOW // 2, mode="reflect")
    frames = sliding_window_view(padded, WINDOW)[::HOP][:-1]
    hann = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(WINDOW, dtype=np.float32) / WINDOW)
    power = np.abs(np.fft.rfft(frames * hann, axis=1)) ** 2
    spectrum = np.log10(np.maximum(_mel_filters(bands) @ power.T, 1e-10))
    spectrum = np.maximum(spectrum, spectrum.max() - 8.0)
    return np.ascontiguousarray((spectrum + 4.0) / 4.0, np.float32)


@cache
def _mel_filters(bands: int) -> NDArray[np.float32]:
    """Triangles of equal area, spaced evenly on Slaney's mel scale from 0 Hz to half the sample rate."""
    edges = _mel_to_hertz(np.linspace(0.0, _hertz_to_mel(SAMPLE_RATE / 2.0), bands + 2))
    low, centre, high = (edges[start : start + bands, None] for start in range(3))
    bins = np.fft.rfftfreq(WINDOW, 1.0 / SAMPLE_RATE)
    rising = (bins - low) / (centre - low)
    falling = (high - bins) / (high - centre)
    return np.asarray(np.maximum(0.0, np.minimum(rising, falling)) * 2.0 / (high - low), np.float32)


LINEAR_HERTZ = 200.0 / 3.0
BREAK_HERTZ = 1000.0
BREAK_MEL = BREAK_HERTZ / LINEAR_HERTZ
LOG_STEP = np.log(6.4) / 27.0
"""Slaney's scale (Auditory Toolbox, 1998): linear up to 1 kHz, logarithmic above."""


def _hertz_to_mel(hertz: float) -> float:
    return float(BREAK_MEL + np.log(hertz / BREAK_HERTZ) / LOG_STEP)


def _mel_to_hertz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(mel < BREAK_MEL, mel * LINEAR_HERTZ, BREAK_HERTZ * np.exp(LOG_STEP * (mel - BREAK_MEL)))
