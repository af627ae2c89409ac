"""Where the voice's sound goes: the interface, and a sink that writes every utterance to a WAV file."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.audio.sound_file import write_wav
from reachy_agent_ros.core.errors import AgentError


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


class WavSink:
    """Writes `<date>-<time>-<id>.wav` when an utterance is over, with what was said of it before a cancel.

    Args:
        directory: Created if missing.
        report: Called with the reason when a file could not be written, with an empty text when one could.
    """

    def __init__(self, directory: Path, report: Callable[[str], None]) -> None:
        self._directory = directory
        self._report = report
        self._path = directory
        self._rate = 0
        self._pieces: list[Samples] = []

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Begins a file."""
        self._path = self._directory / f"{time.strftime('%Y%m%d-%H%M%S')}-{utterance_id.hex[:8]}.wav"
        self._rate = sample_rate
        self._pieces = []

    def write(self, samples: Samples) -> None:
        """Keeps a chunk."""
        self._pieces.append(samples)

    def end(self, *, cancelled: bool) -> None:
        """Writes the file, unless nothing was said."""
        del cancelled  # what was said was said
        if not self._pieces:
            return
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            write_wav(self._path, np.concatenate(self._pieces), self._rate)
        except (AgentError, OSError) as error:
            self._report(str(error))
        else:
            self._report("")
