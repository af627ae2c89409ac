"""Whether somebody is speaking, 31 times a second, whichever detector tells it."""

from __future__ import annotations

from typing import Protocol

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples

FRAME = 512
"""Samples judged at a time."""

FRAME_SECONDS = FRAME / SAMPLE_RATE


class VoiceDetector(Protocol):
    """Judges the frames of one stream in turn. It may remember, so each stream begins with `reset`."""

    def reset(self) -> None:
        """Forgets what was heard."""
        ...

    def probability(self, frame: Samples) -> float:
        """Probability, 0..1, that the next `FRAME` samples of the stream are speech; 16 kHz mono."""
        ...
