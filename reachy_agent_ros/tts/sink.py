"""Where the voice's sound goes: the interface of sinks, WAV files, and several sinks whose sound can be lowered."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.audio.sound_file import write_wav
from reachy_agent_ros.core.errors import AgentError

LOWERED = 0.2
"""Gain, -14 dB: still heard, so that a cough leaves no hole, but no longer in the way."""

DOWN, UP = 0.02, 0.15
"""Seconds from full to lowered and back: the first must be quick, the second should not be noticed."""

LONGEST = 1.0
"""Seconds after which a suspicion that was never decided is forgotten: the ears may have died meanwhile."""


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


@dataclass(frozen=True)
class Ducking:
    """How loud the voice is.

    Attributes:
        gain: After the last sample, `LOWERED` to 1.
    """

    gain: float = 1.0

    def apply(self, samples: Samples, sample_rate: int, lowered: bool) -> tuple[Samples, Ducking]:
        """A chunk at the loudness it should have. The gain goes straight from where it was: a jump would click.

        Args:
            samples: Mono.
            sample_rate: Hz.
            lowered: Whether the voice should be low.

        Returns:
            The chunk, and how loud the next one begins.
        """
        goal, seconds = (LOWERED, DOWN) if lowered else (1.0, UP)
        step = np.sign(goal - self.gain) * (1.0 - LOWERED) / (seconds * sample_rate)
        ramp = self.gain + step * np.arange(1, samples.size + 1)
        gains = np.clip(ramp, min(self.gain, goal), max(self.gain, goal))
        if samples.size == 0:
            return samples, self
        return np.rint(samples * gains).astype(np.int16), Ducking(float(gains[-1]))


class Ducked:
    """One sink in place of several. One thread gives it sound, any other lowers it.

    Args:
        sinks: All of them get the same sound.
        clock: Steady clock, s.
    """

    def __init__(self, sinks: Sequence[Sink], clock: Callable[[], float] = time.monotonic) -> None:
        self._sinks = sinks
        self._clock = clock
        self._lowered_until = -float("inf")
        self._ducking = Ducking()
        self._rate = 0

    def lower(self) -> None:
        """Lowers the sound from the next chunk on."""
        self._lowered_until = self._clock() + LONGEST

    def restore(self) -> None:
        """Lets it be as loud as before."""
        self._lowered_until = -float("inf")

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Prepares for an utterance."""
        self._rate = sample_rate
        self._ducking = Ducking()
        for sink in self._sinks:
            sink.start(utterance_id, sample_rate)

    def write(self, samples: Samples) -> None:
        """Gives out a chunk at the loudness it should have."""
        lowered = self._clock() < self._lowered_until
        heard, self._ducking = self._ducking.apply(samples, self._rate, lowered)
        for sink in self._sinks:
            sink.write(heard)

    def end(self, *, cancelled: bool) -> None:
        """Ends the utterance."""
        for sink in self._sinks:
            sink.end(cancelled=cancelled)
