"""Endpoint detection: start and end of utterances in a stream of frames."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from reachy_agent_ros.audio.samples import SILENCE_DBFS, Samples, level_dbfs
from reachy_agent_ros.stt.turn_end import TurnEnd
from reachy_agent_ros.stt.voice_detectors import FRAME_SECONDS


@dataclass(frozen=True)
class Endpointing:
    """Thresholds for the start and end of an utterance. Lengths are in frames of 32 ms.

    Attributes:
        start_probability: Minimum probability of a speech frame outside an utterance.
        end_probability: Minimum probability of a speech frame within an utterance; the difference is hysteresis.
        start_frames: Consecutive speech frames that start an utterance; a click is shorter.
        pre_roll: Frames kept from before these speech frames, because the detector is late for soft first sounds.
        lull: Difference in level from the utterance's loudest frame that makes a frame a lull, dB. A lull is earlier
            than the detector's silence, but also occurs within words.
        stillness: Difference in level from the utterance's loudest frame that makes a frame still, dB: not even a soft
            voice.
        draft_frames: Silent frames after which a draft may be decoded.
        hangover: Silent frames that end an utterance, unless its words tell that the speaker has or has not finished.
        longest: Maximum length of an utterance.
        merge: Frames after an end within which a new utterance continues the previous one; 0 disables merging.
        loud_probability: Replaces `start_probability` while the robot's own motors are loud.
        loud_start_frames: Replaces `start_frames` while the robot's own motors are loud.
        turn_end: Estimate of the silence that ends a turn; None for `hangover` alone.
        shortest_silence: Silent frames that end a complete sentence.
        longest_silence: Silent frames that end an unfinished sentence.
    """

    start_probability: float = 0.7
    end_probability: float = 0.55
    start_frames: int = 3
    pre_roll: int = 9
    lull: float = 24.0
    stillness: float = 30.0
    draft_frames: int = 4
    hangover: int = 6
    longest: int = 468
    merge: int = 19
    loud_probability: float = 0.95
    loud_start_frames: int = 8
    turn_end: TurnEnd | None = None
    shortest_silence: int = 5
    longest_silence: int = 38


class EndpointEvent(Enum):
    """State change as the result of a frame."""

    STARTED = auto()
    LULLED = auto()
    """The level has dropped, at the end of a word or of the utterance."""
    PAUSED = auto()
    """The silence has reached `draft_frames`: the utterance may be over."""
    RESUMED = auto()
    """Speech continues after `PAUSED`."""
    ENDED = auto()
    """`Endpointer.utterance` is complete until the next frame."""


class Endpointer:
    """State machine that finds utterances by the speech probability of each frame. Uses no clock and no threads.

    Attributes:
        rules: Thresholds for the start and end of an utterance.
        needed: Silent frames that end the present utterance. `rules.hangover` until another thread sets it, and again
            when the speaker continues.

    Args:
        rules: Thresholds for the start and end of an utterance.
    """

    def __init__(self, rules: Endpointing) -> None:
        self.rules = rules
        self.needed = rules.hangover
        self._before: deque[Samples] = deque(maxlen=rules.pre_roll + max(rules.start_frames, rules.loud_start_frames))
        self._frames: list[Samples] = []
        self._mergeable = 0
        self._voiced = 0
        self._silent = 0
        self._loudest = SILENCE_DBFS
        self._lull = 0
        self._since_lull = SILENCE_DBFS
        self._paused = False
        self._open = False
        self._merged = False

    @property
    def lulled(self) -> bool:
        """Whether the latest frame of the utterance belongs to a lull, during which the level is low."""
        return self._lull > 0

    @property
    def still(self) -> bool:
        """Whether the lull is silent, so that the audio before the lull contains a complete utterance."""
        return self.lulled and self._since_lull < self._loudest - self.rules.stillness

    @property
    def in_utterance(self) -> bool:
        """Whether an utterance has started but not ended."""
        return self._open

    @property
    def voiced(self) -> int:
        """Number of consecutive speech frames with which the current utterance started."""
        return self._voiced

    @property
    def merged(self) -> bool:
        """Whether the current utterance continues the previous one, and includes its samples."""
        return self._merged

    @property
    def utterance(self) -> Samples:
        """Samples of the current utterance, from its pre-roll to the latest frame."""
        return np.concatenate(self._frames)

    @property
    def silence(self) -> float:
        """Time since the last speech frame (s)."""
        return self._silent * FRAME_SECONDS

    def push(self, frame: Samples, probability: float, loud: bool = False) -> EndpointEvent | None:
        """Processes the next frame. Returns the resulting state change, or None.

        Args:
            frame: Samples of the frame.
            probability: Probability that the frame is speech, 0 to 1.
            loud: Whether the robot's own motors are loud, so that clearer and longer speech is needed to start.
        """
        return self._within(frame, probability) if self._open else self._outside(frame, probability, loud)

    def finish(self) -> EndpointEvent | None:
        """Ends the utterance at the end of the stream. Returns `ENDED` if there was an utterance."""
        ended = self._end() if self._open else None
        self._before.clear()
        self._voiced = 0
        self.seal()
        return ended

    def seal(self) -> None:
        """Prevents the next utterance from being merged with the last one."""
        self._mergeable = 0

    def _outside(self, frame: Samples, probability: float, loud: bool) -> EndpointEvent | None:
        rules = self.rules
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
            self._frames = list(self._before)[-(self.rules.pre_roll + self._voiced) :]
        self._before.clear()
        self._silent = 0
        self._loudest = max(map(level_dbfs, self._frames))
        self._lull = 0
        self._paused = False
        self.needed = self.rules.hangover
        self._open = True
        return EndpointEvent.STARTED

    def _within(self, frame: Samples, probability: float) -> EndpointEvent | None:
        self._frames.append(frame)
        self._silent = self._silent + 1 if probability < self.rules.end_probability else 0
        falls = self._falls(level_dbfs(frame))
        if self._silent >= self.needed or len(self._frames) >= self.rules.longest:
            return self._end()
        if falls:  # any other change is reported with the next frame
            return EndpointEvent.LULLED
        paused, self._paused = self._paused, self._silent >= self.rules.draft_frames
        if self._paused == paused:
            return None
        self.needed = self.rules.hangover
        return EndpointEvent.PAUSED if self._paused else EndpointEvent.RESUMED

    def _falls(self, level: float) -> bool:
        """Processes the level of a frame (dBFS). Returns whether the frame starts a lull."""
        self._loudest = max(self._loudest, level)
        if level >= self._loudest - self.rules.lull:
            self._lull = 0
            return False
        self._lull += 1
        # The first frame of a lull still contains the end of a sound.
        self._since_lull = SILENCE_DBFS if self._lull == 1 else max(self._since_lull, level)
        return self._lull == 1

    def _end(self) -> EndpointEvent:
        self._open = False
        self._voiced = 0
        self._mergeable = self.rules.merge
        return EndpointEvent.ENDED
