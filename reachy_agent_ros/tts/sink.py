"""Audio sinks for speech: protocol, WAV files, and a combination of sinks with ducking."""

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
"""Gain of the lowered voice, -14 dB: still audible, so that a cough leaves no gap, but no longer disturbing."""

DOWN, UP = 0.02, 0.15
"""Times to lower the voice and to restore it, s: lowering must be quick, and restoring must be unnoticeable."""

LONGEST = 1.0
"""Time after which an undecided suspicion is ignored, s, because the `stt` node may have crashed."""


class Sink(Protocol):
    """Protocol of audio sinks for one utterance after another. Use from one thread.

    No method waits for playback, except for the short buffer of an audio device.
    """

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Prepares for an utterance, which is mono audio with a sample rate of `sample_rate` Hz.

        If its device is missing, a sink reports the problem and still accepts sound, because other sinks may play it.
        """
        ...

    def write(self, samples: Samples) -> None:
        """Plays the next audio chunk, of at most 40 ms."""
        ...

    def end(self, *, cancelled: bool) -> None:
        """Ends the utterance. If `cancelled`, drops all audio that has not been played yet."""
        ...


class WavSink:
    """Audio sink that writes each utterance to a file `<date>-<time>-<id>.wav`, which ends at a cancellation.

    Args:
        directory: Folder of the files, created if missing.
        report: Callback with the reason if a file could not be written, and with an empty text otherwise.
    """

    def __init__(self, directory: Path, report: Callable[[str], None]) -> None:
        self._directory = directory
        self._report = report
        self._path = directory
        self._rate = 0
        self._pieces: list[Samples] = []

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Starts a WAV file for an utterance."""
        self._path = self._directory / f"{time.strftime('%Y%m%d-%H%M%S')}-{utterance_id.hex[:8]}.wav"
        self._rate = sample_rate
        self._pieces = []

    def write(self, samples: Samples) -> None:
        """Adds an audio chunk to the file."""
        self._pieces.append(samples)

    def end(self, *, cancelled: bool) -> None:
        """Writes the file, unless it would be empty."""
        del cancelled  # the sound before a cancellation is kept
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
    """Gain of the voice, which changes gradually when the voice is lowered or restored.

    Attributes:
        gain: Gain after the last sample, `LOWERED` to 1.
    """

    gain: float = 1.0

    def apply(self, samples: Samples, sample_rate: int, lowered: bool) -> tuple[Samples, Ducking]:
        """Applies the gain to an audio chunk, with a linear ramp to avoid a click.

        Args:
            samples: Mono samples.
            sample_rate: Sample rate, Hz.
            lowered: Whether the voice should be lowered.

        Returns:
            The chunk, and the state for the next one.
        """
        goal, seconds = (LOWERED, DOWN) if lowered else (1.0, UP)
        step = np.sign(goal - self.gain) * (1.0 - LOWERED) / (seconds * sample_rate)
        ramp = self.gain + step * np.arange(1, samples.size + 1)
        gains = np.clip(ramp, min(self.gain, goal), max(self.gain, goal))
        if samples.size == 0:
            return samples, self
        return np.rint(samples * gains).astype(np.int16), Ducking(float(gains[-1]))


class Ducked:
    """Combination of several audio sinks, whose volume can be lowered temporarily.

    One thread plays the sound; any thread may lower and restore the volume.

    Args:
        sinks: Sinks that play the same sound.
        clock: Steady clock, s.
    """

    def __init__(self, sinks: Sequence[Sink], clock: Callable[[], float] = time.monotonic) -> None:
        self._sinks = sinks
        self._clock = clock
        self._lowered_until = -float("inf")
        self._ducking = Ducking()
        self._rate = 0

    def lower(self) -> None:
        """Lowers the volume from the next chunk on, for at most `LONGEST` seconds."""
        self._lowered_until = self._clock() + LONGEST

    def restore(self) -> None:
        """Restores the normal volume."""
        self._lowered_until = -float("inf")

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Starts an utterance in all sinks."""
        self._rate = sample_rate
        self._ducking = Ducking()
        for sink in self._sinks:
            sink.start(utterance_id, sample_rate)

    def write(self, samples: Samples) -> None:
        """Plays an audio chunk with the current gain."""
        lowered = self._clock() < self._lowered_until
        heard, self._ducking = self._ducking.apply(samples, self._rate, lowered)
        for sink in self._sinks:
            sink.write(heard)

    def end(self, *, cancelled: bool) -> None:
        """Ends the utterance in all sinks."""
        for sink in self._sinks:
            sink.end(cancelled=cancelled)
