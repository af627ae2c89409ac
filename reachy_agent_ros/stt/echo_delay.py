"""How long the robot's own voice takes from its loudspeaker's queue to its microphone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LAGS = 32
"""Delays considered, in hops: half a second of buffers, air and drivers."""

MEMORY = 0.997
"""Of the correlation from hop to hop: it is that of the last five seconds."""

HYSTERESIS = 1.2
"""How much better another delay must explain the sound before it is believed."""

FLOOR = 100.0
"""Power in squared sample units below which a band counts as silent, so that digital silence has no onsets."""

STEEPEST = 20.0
"""dB. A louder onset counts no more than this."""


class EchoDelay:
    """Correlates the onsets in the bands of what is said with those of what is heard.

    Onsets, because a room smears how long a sound lasts but not when it begins.

    Attributes:
        hops: The delay.

    Args:
        bands: Number of bands.
    """

    def __init__(self, bands: int) -> None:
        self.hops = 0
        self._said = np.zeros((LAGS, bands))
        self._correlation = np.zeros(LAGS)
        self._levels = np.full((2, bands), 10.0 * np.log10(FLOOR))

    def update(self, said: NDArray[np.float64], heard: NDArray[np.float64]) -> bool:
        """Takes one hop's band powers, shape [bands] each. Returns whether the delay is now a quite different one."""
        levels = 10.0 * np.log10(np.stack([said, heard]) + FLOOR)
        onsets = np.clip(levels - self._levels, 0.0, STEEPEST)
        self._levels = levels
        self._said = np.roll(self._said, 1, axis=0)
        self._said[0] = onsets[0]
        self._correlation = MEMORY * self._correlation + self._said @ onsets[1]
        best = int(self._correlation.argmax())
        if self._correlation[best] <= HYSTERESIS * self._correlation[self.hops]:
            return False
        moved = abs(best - self.hops)
        self.hops = best
        return moved > 2
