"""Where an utterance begins and ends in a stream of frames."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from reachy_agent_ros.audio.samples import SILENCE_DBFS, Samples, level_dbfs
from reachy_agent_ros.stt.voice_detectors import FRAME_SECONDS


@dataclass(frozen=True)
class Endpointing:
    """When speech counts as begun and ended. Lengths are in frames of 32 ms.

    Attributes:
        start_probability: From here on a frame is speech, before an utterance.
        end_probability: Below this a frame is silence, within one. The gap between the two is hysteresis.
        start_frames: Speech frames in a row that begin an utterance; a click is shorter.
        pre_roll: Frames kept from before those: the detector is late for soft first sounds.
        hush: What is so many dB below the utterance's loudest frame is a hush: it comes sooner than the detector tells
            silence, but within words too.
        stillness: What is so many dB below it is nothing: no soft voice either.
        draft_frames: Silent frames after which a draft may be decoded.
        hangover: Silent frames that end an utterance.
        longest: Frames after which an utterance ends in any case.
        merge: Frames after an end within which an utterance that starts goes on with the one before; 0 for never.
        loud_probability: As `start_probability`, while the robot's own motors are loud.
        loud_start_frames: As `start_frames`, while they are.
    """

    start_probability: float = 0.7
    end_probability: float = 0.55
    start_frames: int = 3
    pre_roll: int = 9
    hush: float = 24.0
    stillness: float = 30.0
    draft_frames: int = 4
    hangover: int = 6
    longest: int = 468
    merge: int = 19
    loud_probability: float = 0.95
    loud_start_frames: int = 8


class EndpointEvent(Enum):
    """What a frame changed."""

    STARTED = auto()
    HUSHED = auto()
    """The voice has fallen: this may be the end of a word, or of the utterance."""
    PAUSED = auto()
    """Silence has reached `draft_frames`: the utterance may be over."""
    RESUMED = auto()
    """It was not, after a `PAUSED`."""
    ENDED = auto()
    """`Endpointer.utterance` is complete until the next frame."""


class Endpointer:
    """A state machine over frames and their speech probabilities; it knows no clock and no thread.

    Attributes:
        patience: Silent frames beyond the hangover that end the utterance in progress: somebody who has only called
            has yet to say what for. Another thread may set it.

    Args:
        rules: When speech counts as begun and ended.
    """

    def __init__(self, rules: Endpointing) -> None:
        self.patience = 0
        self._rules = rules
        self._before: deque[Samples] = deque(maxlen=rules.pre_roll + rules.start_frames)
        self._frames: list[Samples] = []
        self._mergeable = 0
        self._voiced = 0
        self._silent = 0
        self._loudest = SILENCE_DBFS
        self._hush = 0
        self._since_hush = SILENCE_DBFS
        self._paused = False
        self._open = False
        self._merged = False

    @property
    def hushed(self) -> bool:
        """Whether the latest frame of an utterance was a hush."""
        return self._hush > 0

    @property
    def still(self) -> bool:
        """Whether nothing has sounded since the hush began: what was said by then is all."""
        return self.hushed and self._since_hush < self._loudest - self._rules.stillness

    @property
    def in_utterance(self) -> bool:
        """Whether an utterance has started and not ended."""
        return self._open

    @property
    def merged(self) -> bool:
        """Whether the utterance in progress goes on with the one before it, whose sound is part of it."""
        return self._merged

    @property
    def utterance(self) -> Samples:
        """The utterance so far, from its pre-roll to the latest frame."""
        return np.concatenate(self._frames)

    @property
    def silence(self) -> float:
        """Seconds since its last speech frame."""
        return self._silent * FRAME_SECONDS

    def push(self, frame: Samples, probability: float, loud: bool = False) -> EndpointEvent | None:
        """Takes the next frame. Returns what it changed, if anything.

        Args:
            frame: Its sound.
            probability: That it is speech.
            loud: Whether the robot's own motors are, so that speech must be clearer and longer to begin an utterance.
        """
        return self._within(frame, probability) if self._open else self._outside(frame, probability, loud)

    def finish(self) -> EndpointEvent | None:
        """Ends the utterance because no more sound comes. Returns `ENDED` if there was one."""
        ended = self._end() if self._open else None
        self._before.clear()
        self._voiced = 0
        self.seal()
        return ended

    def seal(self) -> None:
        """Lets nothing be merged with the utterance that has ended."""
        self._mergeable = 0

    def _outside(self, frame: Samples, probability: float, loud: bool) -> EndpointEvent | None:
        rules = self._rules
        least, frames = (
            (rules.loud_probability, rules.loud_start_frames) if loud else (rules.start_probability, rules.start_frames)
        )
        self._before.append(frame)
        self._merged = self._mergeable > 0 and len(self._frames) + 1 < rules.longest
        if self._merged:
            self._mergeable -= 1
            self._frames.append(frame)
        self._voiced = self._voiced + 1 if probability >= least else 0
        return self._start() if self._voiced >= frames else None

    def _start(self) -> EndpointEvent:
        if not self._merged:
            self._frames = list(self._before)
        self._before.clear()
        self._silent = 0
        self._loudest = max(map(level_dbfs, self._frames))
        self._hush = 0
        self._paused = False
        self.patience = 0
        self._open = True
        return EndpointEvent.STARTED

    def _within(self, frame: Samples, probability: float) -> EndpointEvent | None:
        self._frames.append(frame)
        self._silent = self._silent + 1 if probability < self._rules.end_probability else 0
        falls = self._falls(level_dbfs(frame))
        if self._silent >= self._rules.hangover + self.patience or len(self._frames) >= self._rules.longest:
            return self._end()
        if falls:  # what else is to be told is so with the next frame too
            return EndpointEvent.HUSHED
        paused, self._paused = self._paused, self._silent >= self._rules.draft_frames
        if self._paused == paused:
            return None
        return EndpointEvent.PAUSED if self._paused else EndpointEvent.RESUMED

    def _falls(self, level: float) -> bool:
        """Takes a frame's loudness, dBFS. Returns whether it is a hush and the one before was none."""
        self._loudest = max(self._loudest, level)
        if level >= self._loudest - self._rules.hush:
            self._hush = 0
            return False
        self._hush += 1
        # The first frame of a hush holds the end of a sound still.
        self._since_hush = SILENCE_DBFS if self._hush == 1 else max(self._since_hush, level)
        return self._hush == 1

    def _end(self) -> EndpointEvent:
        self._open = False
        self._voiced = 0
        self._mergeable = self._rules.merge
        return EndpointEvent.ENDED
