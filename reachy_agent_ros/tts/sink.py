"""Where the voice's sound goes."""

from __future__ import annotations

import uuid
from typing import Protocol

from reachy_agent_ros.audio.samples import Samples


class Sink(Protocol):
    """Takes one utterance after the other, in one thread. None of its calls waits for the sound to be over."""

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Prepares for an utterance of mono sound at `sample_rate` Hz.

        A sink that has lost its device says so on its own and takes the sound nonetheless: the others still play.
        """
        ...

    def write(self, samples: Samples) -> None:
        """Takes the next chunk, of at most 40 ms, when it is to be heard."""
        ...

    def end(self, *, cancelled: bool) -> None:
        """Ends the utterance. Cancelled means silence now: what has not sounded yet is dropped."""
        ...
