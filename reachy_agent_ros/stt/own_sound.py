"""What the robot gives out, as its ears need it."""

from __future__ import annotations

import threading

import numpy as np

from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.stt.chunk import Chunk
from reachy_agent_ros.stt.sample_clock import SampleClock

KEPT = 4 * SAMPLE_RATE
"""Samples remembered: longer than sound waits anywhere on its way to the ears."""


class OwnSound:
    """The last seconds of the robot's voice at 16 kHz on the wall clock. One thread writes, another reads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clock = SampleClock()
        self._ring = np.zeros(KEPT, np.int16)
        self._end = 0
        self._stream: tuple[str, int, int] | None = None

    def write(self, chunk: Chunk, time: float) -> None:
        """Takes a chunk whose first sample is to be heard at `time`, s since the epoch.

        Raises:
            AgentError: `AUDIO_UNSUPPORTED`: a format that cannot be converted.
        """
        stream = (chunk.stream, chunk.sample_rate, chunk.channels)
        if stream != self._stream:
            self._resampler, self._stream = Resampler(chunk.sample_rate, chunk.channels), stream
        samples = self._resampler.process(chunk.samples)[-KEPT:]
        with self._lock:
            first = self._clock.place(time, samples.size)
            self._forget(first)
            self._ring[np.arange(first, first + samples.size) % KEPT] = samples
            self._end = first + samples.size

    def read(self, first: int, size: int) -> Samples:
        """`size` samples from number `first` on, counted as `SampleClock` does; zeros where nothing was given out."""
        numbers = np.arange(first, first + size)
        with self._lock:
            known = (numbers >= self._end - KEPT) & (numbers < self._end)
            return np.where(known, self._ring[numbers % KEPT], 0).astype(np.int16)

    def _forget(self, first: int) -> None:
        """Silences what lies between the last chunk and this one; a step back of the clock silences all."""
        if self._end <= first < self._end + KEPT:
            self._ring[np.arange(self._end, first) % KEPT] = 0
        else:
            self._ring[:] = 0
