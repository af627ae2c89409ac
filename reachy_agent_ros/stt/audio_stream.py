"""Streams of audio chunks: their format, their order and their place in time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.core.errors import AgentError, ErrorCode

SILENT = 0.5
"""Seconds without a chunk after which a stream has ended, though it did not say so."""

LONGEST_CHUNK = 2.0
"""Seconds of sound in one chunk; a longer one would keep the ears busy with it, deaf to what is said meanwhile."""

JITTER = 0.06
"""Seconds a piece's stamp may be off while it still follows the one before: stamps are made by busy threads."""


@dataclass(frozen=True)
class Chunk:
    """A piece of one stream; the plain form of `reachy_agent_msgs/AudioChunk`.

    Attributes:
        samples: Interleaved.
        sample_rate: Hz.
        channels: Samples a frame.
        stream: Id of the stream: a file, a device session.
        sequence: Counts up by one within the stream.
        last: Whether the stream ends with it.
        time: Wall clock of its first sample, seconds since the epoch, or always as much later.
    """

    samples: Samples
    sample_rate: int
    channels: int = 1
    stream: str = ""
    sequence: int = 0
    last: bool = False
    time: float = field(default_factory=time.time, compare=False)


class Inlet:
    """Lets one stream in at a time and converts it to 16 kHz mono.

    Two streams at once would be mixed sample by sample into noise. So the first keeps the ears until it ends or falls
    silent, and a chunk of another one is refused.

    Attributes:
        lost: Chunks of the admitted streams that never came, by their sequence numbers.
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
        """Id of the stream that was let in last."""
        return self._stream or ""

    @property
    def silent(self) -> bool:
        """Whether nothing has come in for a while."""
        return time.monotonic() - self._heard > SILENT

    def accept(self, chunk: Chunk) -> Samples:
        """Takes the next chunk.

        Returns:
            16 kHz mono samples; what the filter still held is part of them on the stream's last chunk.

        Raises:
            AgentError: `AUDIO_UNAVAILABLE`: another stream has the ears. `AUDIO_UNSUPPORTED`: a format that cannot be
                converted, one that changes within the stream, or a chunk longer than `LONGEST_CHUNK`.
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
                ErrorCode.AUDIO_UNAVAILABLE, f"Stream {chunk.stream!r} must wait for the end of {self._stream!r}."
            )
        if sound_format != self._format:
            raise AgentError(
                ErrorCode.AUDIO_UNSUPPORTED,
                f"Stream {chunk.stream!r} changes from {self._format} to {sound_format} (Hz, channels).",
            )
        return self._resampler


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


def _require_short(chunk: Chunk) -> None:
    most = LONGEST_CHUNK * chunk.sample_rate * chunk.channels
    if chunk.samples.size > most > 0.0:
        message = (
            f"A chunk of stream {chunk.stream!r:.60} has {chunk.samples.size} samples, more than {LONGEST_CHUNK:g} s: "
            "send chunks of 0.02 to 0.2 s."
        )
        raise AgentError(ErrorCode.AUDIO_UNSUPPORTED, message)
