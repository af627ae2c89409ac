"""A piece of sound on its way to the ears."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from reachy_agent_ros.audio.samples import Samples


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
