"""Streams of audio chunks: format, order and timing."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.core.errors import AgentError, ErrorCode

SILENT = 0.5
"""Time without a chunk after which a stream counts as ended, s."""

LONGEST_CHUNK = 2.0
"""Maximum duration of a chunk, s: a longer chunk would block recognition for too long."""

JITTER = 0.06
"""Maximum timestamp error at which a chunk still counts as following the previous one, s: busy threads stamp late."""


@dataclass(frozen=True)
class Chunk:
    """Chunk of an audio stream: the ROS-independent equivalent of `reachy_agent_msgs/AudioChunk`.

    Attributes:
        samples: Interleaved samples.
        sample_rate: Sample rate, Hz.
        channels: Number of channels.
        stream: ID of the stream, such as a file or a device session.
        sequence: Number that increases by one within the stream.
        last: Whether this is the last chunk of the stream.
        time: Wall clock time of the first sample, s since the epoch, with any constant delay.
    """

    samples: Samples
    sample_rate: int
    channels: int = 1
    stream: str = ""
    sequence: int = 0
    last: bool = False
    time: float = field(default_factory=time.time, compare=False)


class Inlet:
    """Accepts one audio stream at a time and converts it to 16 kHz mono.

    Two interleaved streams would be noise. Therefore, the first stream is accepted until it ends or falls silent, and
    chunks of other streams are rejected.

    Attributes:
        lost: Number of missing chunks of the accepted streams, by their sequence numbers.
    """

    def __init__(self) -> None:
        self.lost = 0
        self._stream: str | None = None
        self._format = (0, 0)
        self._resampler: Resampler | None = None
        self._expected = 0
        self._heard = -float("inf")

    @property
    def stream(self) -> str:
        """ID of the last accepted stream."""
        return self._stream or ""

    @property
    def silent(self) -> bool:
        """Whether the stream has ended, or no chunk was accepted for `SILENT` seconds."""
        return time.monotonic() - self._heard > SILENT

    def accept(self, chunk: Chunk) -> Samples:
        """Converts the next chunk of the stream.

        Returns:
            16 kHz mono samples, which for the last chunk include the remaining output of the filter.

        Raises:
            AgentError: `AUDIO_UNAVAILABLE` while another stream is active; `AUDIO_UNSUPPORTED` for a format that cannot
                be converted, a change of format within the stream, an incomplete frame, or a chunk longer than
                `LONGEST_CHUNK`.
        """
        _require_short(chunk)
        resampler = self._resampler_of(chunk)
        samples = resampler.process(chunk.samples)
        self._heard = time.monotonic()
        self.lost += max(0, chunk.sequence - self._expected)
        self._expected = chunk.sequence + 1
        if not chunk.last:
            return samples
        self._resampler = None
        self._heard = -float("inf")
        return np.concatenate([samples, resampler.flush()])

    def _resampler_of(self, chunk: Chunk) -> Resampler:
        sound_format = (chunk.sample_rate, chunk.channels)
        if self._resampler is None or (chunk.stream != self._stream and self.silent):
            resampler = Resampler(*sound_format)
            self._stream, self._format, self._resampler = chunk.stream, sound_format, resampler
            self._expected = chunk.sequence
            return resampler
        if chunk.stream != self._stream:
            raise AgentError(
                ErrorCode.AUDIO_UNAVAILABLE, f"Stream {chunk.stream!r} is refused until stream {self._stream!r} ends."
            )
        if sound_format != self._format:
            raise AgentError(
                ErrorCode.AUDIO_UNSUPPORTED,
                f"Stream {chunk.stream!r} changes its format from {self._format} to {sound_format} (Hz, channels).",
            )
        return self._resampler


class SampleClock:
    """Assigns numbers to the samples of a stream, by their time. Ignores small timing variations, to avoid gaps."""

    def __init__(self) -> None:
        self._next: int | None = None

    def place(self, time: float, size: int) -> int:
        """Returns the number of the first of `size` samples with the time stamp `time` (s).

        Samples are numbered at 16 kHz, from the epoch on.
        """
        stamped = round(time * SAMPLE_RATE)
        expected = self._next
        follows = expected is not None and abs(stamped - expected) <= JITTER * SAMPLE_RATE
        first = expected if expected is not None and follows else stamped
        self._next = first + size
        return first


def _require_short(chunk: Chunk) -> None:
    most = LONGEST_CHUNK * chunk.sample_rate * chunk.channels
    if chunk.samples.size > most > 0.0:
        message = (
            f"A chunk of stream {chunk.stream!r:.60} with {chunk.samples.size} samples exceeds {LONGEST_CHUNK:g} s: "
            "send chunks of 0.02 to 0.2 s."
        )
        raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, message)
