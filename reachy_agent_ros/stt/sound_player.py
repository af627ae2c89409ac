"""A recording as if it were being spoken now."""

from __future__ import annotations

from collections.abc import Callable

from reachy_agent_ros.audio.pacer import Pacer
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.stt.chunk import Chunk

PIECE = 512
"""Samples of a chunk: 32 ms."""


def play_to_ears(samples: Samples, stream: str, deliver: Callable[[Chunk], None], cancel: CancelToken) -> None:
    """Delivers sound chunk by chunk in real time, the last one marked as such, then returns.

    Args:
        samples: 16 kHz mono.
        stream: Id of the stream.
        deliver: Called in the caller's thread.
        cancel: Ends it early.
    """
    pacer = Pacer(SAMPLE_RATE)
    for sequence, start in enumerate(range(0, samples.size, PIECE)):
        piece = samples[start : start + PIECE]
        if not pacer.wait(piece.size, cancel):
            return
        last = start + PIECE >= samples.size
        deliver(Chunk(piece, SAMPLE_RATE, stream=stream, sequence=sequence, last=last))
