"""How loud the sound is that comes in, for people who set up a microphone."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.audio.samples import FULL_SCALE, SILENCE_DBFS, Samples, level_dbfs

CLIPPED = FULL_SCALE - 1
"""From this magnitude on a sample counts as cut off."""


@dataclass(frozen=True)
class Level:
    """Of the sound since the last reading.

    Attributes:
        level_dbfs: Root mean square, dB below full scale.
        peak_dbfs: Of the loudest sample, dB below full scale.
        clipped: Share of samples that were cut off, 0..1.
        offset: Mean, of full scale: a microphone's DC.
    """

    level_dbfs: float = SILENCE_DBFS
    peak_dbfs: float = SILENCE_DBFS
    clipped: float = 0.0
    offset: float = 0.0


class LevelMeter:
    """Collects sound in one thread and is read in another."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._heard: list[Samples] = []

    def update(self, samples: Samples) -> None:
        """Takes the next piece."""
        with self._lock:
            self._heard.append(samples)

    def read(self) -> Level:
        """The level since the last reading; silence where nothing came."""
        with self._lock:
            heard, self._heard = self._heard, []
        samples = np.concatenate(heard) if heard else np.zeros(0, np.int16)
        if samples.size == 0:
            return Level()
        magnitudes = np.abs(samples.astype(np.int32))
        return Level(
            level_dbfs(samples),
            level_dbfs(np.array([min(FULL_SCALE, magnitudes.max())], np.int16)),
            float(np.mean(magnitudes >= CLIPPED)),
            float(np.mean(samples)) / FULL_SCALE,
        )
