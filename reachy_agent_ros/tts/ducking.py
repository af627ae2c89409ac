"""The robot's voice made lower while somebody may be interrupting it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.audio.samples import Samples

LOWERED = 0.2
"""Gain, -14 dB: still heard, so that a cough leaves no hole, but no longer in the way."""

DOWN, UP = 0.02, 0.15
"""Seconds from full to lowered and back: the first must be quick, the second should not be noticed."""


@dataclass(frozen=True)
class Ducking:
    """How loud the voice is.

    Attributes:
        gain: After the last sample, `LOWERED` to 1.
    """

    gain: float = 1.0

    def apply(self, samples: Samples, sample_rate: int, lowered: bool) -> tuple[Samples, Ducking]:
        """A chunk at the loudness it should have. The gain goes straight from where it was: a jump would click.

        Args:
            samples: Mono.
            sample_rate: Hz.
            lowered: Whether the voice should be low.

        Returns:
            The chunk, and how loud the next one begins.
        """
        goal, seconds = (LOWERED, DOWN) if lowered else (1.0, UP)
        step = np.sign(goal - self.gain) * (1.0 - LOWERED) / (seconds * sample_rate)
        ramp = self.gain + step * np.arange(1, samples.size + 1)
        gains = np.clip(ramp, min(self.gain, goal), max(self.gain, goal))
        if samples.size == 0:
            return samples, self
        return np.rint(samples * gains).astype(np.int16), Ducking(float(gains[-1]))
