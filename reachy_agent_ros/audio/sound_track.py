"""Sound track that mixes streams of audio chunks into one mono sound. Each stream has a start time."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.samples import FULL_SCALE, Samples


@dataclass
class _Stream:
    start: float
    rate: int
    channels: int
    chunks: list[Samples] = field(default_factory=list)


class SoundTrack:
    """Mono sound track that mixes the audio chunks of several streams.

    Args:
        rate: Sample rate of the track, Hz.
    """

    def __init__(self, rate: int) -> None:
        self.rate = rate
        self._streams: dict[str, _Stream] = {}

    def add(self, stream: str, start: float, samples: Samples, rate: int, channels: int = 1) -> None:
        """Adds the next chunk of a stream directly after its previous chunk, even if chunks arrive in bursts.

        Args:
            stream: Name of the stream.
            start: Time of the chunk's first sample, s from the start of the track. Ignored after the first chunk.
            samples: Interleaved samples.
            rate: Sample rate, Hz.
            channels: Number of channels.
        """
        self._streams.setdefault(stream, _Stream(max(start, 0.0), rate, channels)).chunks.append(samples)

    def mixed(self, duration: float) -> Samples:
        """Returns the sum of all streams, clipped to full scale.

        Args:
            duration: Length of the track, s. Later sound is cut off.

        Raises:
            AgentError: `AUDIO_UNSUPPORTED` if a stream has a format that cannot be converted.
        """
        total = np.zeros(round(duration * self.rate), np.int32)
        for stream in self._streams.values():
            resampler = Resampler(stream.rate, stream.channels, self.rate)
            sound = np.concatenate([*map(resampler.process, stream.chunks), resampler.flush()])
            begin = min(round(stream.start * self.rate), total.size)
            end = min(begin + sound.size, total.size)
            total[begin:end] += sound[: end - begin]
        return np.asarray(np.clip(total, -FULL_SCALE, FULL_SCALE), np.int16)
