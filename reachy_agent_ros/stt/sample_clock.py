"""Where the pieces of a stream lie in time, to the sample."""

from __future__ import annotations

from reachy_agent_ros.audio.samples import SAMPLE_RATE

JITTER = 0.06
"""Seconds a piece's stamp may be off while it still follows the one before: stamps are made by busy threads."""


class SampleClock:
    """Numbers the samples of a stream by their time, each piece directly after the other wherever stamps allow it."""

    def __init__(self) -> None:
        self._next: int | None = None

    def place(self, time: float, size: int) -> int:
        """Number, at 16 kHz since the epoch, of the first of `size` samples that are stamped `time`, s."""
        stamped = round(time * SAMPLE_RATE)
        expected = self._next
        follows = expected is not None and abs(stamped - expected) <= JITTER * SAMPLE_RATE
        first = expected if expected is not None and follows else stamped
        self._next = first + size
        return first
