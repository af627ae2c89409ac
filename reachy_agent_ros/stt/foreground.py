"""Which frames hold a sound that stands out."""

from __future__ import annotations

from reachy_agent_ros.audio.samples import Samples, level_dbfs

ABOVE = 15.0
"""dB over the room's own noise from which on a frame stands out."""

RISE = 0.1
"""dB a frame by which the noise is thought to rise until a quieter frame shows that it has not: a fan that is switched
on stands out for a few seconds."""

QUIETEST, LOUDEST = -70.0, -30.0
"""dBFS between which a room's noise lies."""

EXCESS = 0.2
"""Part of the power that the robot's own voice must not explain."""


class Foreground:
    """Follows the noise of a room and tells what is louder: speech, but a cough or a door too.

    The noise is the least level of late, as in R. Martin, "Noise power spectral density estimation based on optimal
    smoothing and minimum statistics", 2001, of the whole band.
    """

    def __init__(self) -> None:
        self._noise = QUIETEST

    def push(self, samples: Samples, excess: float) -> bool:
        """Takes the next frame, without the robot's voice. Returns whether it stands out.

        Args:
            samples: Its sound.
            excess: Part, 0..1, of what was heard that the robot's own voice does not explain.
        """
        level = level_dbfs(samples)
        self._noise = min(max(level, QUIETEST), self._noise + RISE, LOUDEST)
        return level > self._noise + ABOVE and excess > EXCESS
