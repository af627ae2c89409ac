"""A recording as if it were being spoken now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reachy_agent_ros.audio.pacer import Pacer
from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.hearing.chunk import Chunk

PIECE = 512
"""Samples of a chunk: 32 ms."""


def play_to_ears(path: Path, deliver: Callable[[Chunk], None], cancel: CancelToken) -> None:
    """Delivers a sound file chunk by chunk in real time, the last one marked as such, then returns.

    Args:
        path: File that `read_sound` reads.
        deliver: Called in the caller's thread.
        cancel: Ends it early.

    Raises:
        AgentError: As `read_sound`.
    """
    samples = read_sound(path)
    pacer = Pacer(SAMPLE_RATE)
    for sequence, start in enumerate(range(0, samples.size, PIECE)):
        piece = samples[start : start + PIECE]
        if not pacer.wait(piece.size, cancel):
            return
        last = start + PIECE >= samples.size
        deliver(Chunk(piece, SAMPLE_RATE, stream=path.name, sequence=sequence, last=last))
