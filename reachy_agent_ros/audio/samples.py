"""Audio sample format of the project, and conversions to it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int16]
"""Signed 16-bit samples, full scale +-32767, shape [n] and mono unless stated otherwise."""

FULL_SCALE = 32767

SAMPLE_RATE = 16_000
"""Sample rate that the voice detector and the recognizer were trained on, Hz."""

SILENCE_DBFS = -96.0
"""Level of digital silence, dBFS: the floor of 16 bits."""


def level_dbfs(samples: Samples) -> float:
    """Returns the root mean square level of samples in dB relative to full scale, from `SILENCE_DBFS` to 0."""
    if samples.size == 0:
        return SILENCE_DBFS
    rms = math.sqrt(float(np.mean(np.square(samples, dtype=np.float64)))) / FULL_SCALE
    return min(0.0, max(SILENCE_DBFS, 20.0 * math.log10(max(rms, 1e-9))))


def from_float(values: NDArray[np.floating]) -> Samples:
    """Converts values between -1 and 1 to samples. Values outside this range are clipped."""
    scaled = np.rint(np.clip(values, -1.0, 1.0) * FULL_SCALE)
    return np.asarray(scaled, np.int16)
