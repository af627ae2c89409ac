"""Ears that stay open while the robot speaks."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from reachy_agent_ros.audio.samples import Samples, level_dbfs
from reachy_agent_ros.stt.barge_in import BargeIn, BargeInRules, BargeInStage
from reachy_agent_ros.stt.echo import EchoSuppressor
from reachy_agent_ros.stt.own_noise import OwnSound, OwnVoice
from reachy_agent_ros.stt.recogniser import Recognition
from reachy_agent_ros.stt.voice_detectors import FRAME_SECONDS

READ_EVERY = 8
"""Frames between two looks at the words: a quarter of a second, two to three times what decoding takes."""

ABOVE = 15.0
"""dB over the room's own noise from which on a frame stands out."""

RISE = 0.1
"""dB a frame by which the noise is thought to rise until a quieter frame shows that it has not: a fan that is switched
on stands out for a few seconds."""

QUIETEST, LOUDEST = -70.0, -30.0
"""dBFS between which a room's noise lies."""

EXCESS = 0.2
"""Part of the power that the robot's own voice must not explain."""


@dataclass(frozen=True)
class Interruption:
    """Somebody speaks while the robot does; the plain form of `reachy_agent_msgs/BargeIn`.

    Attributes:
        stage: What was decided.
        stop: Whether a word was understood that stops the body too.
        text: What was understood so far.
        began: Wall clock, seconds since the epoch.
    """

    stage: BargeInStage
    stop: bool
    text: str
    began: float


class FullDuplex:
    """Takes the robot's voice out of what is heard, and tells who speaks over it. The ears' thread uses it.

    Args:
        own_sound: What the robot gives out; None where the microphone has echo cancellation of its own.
        rules: When speech over the robot's counts.
        on_interruption: Called in the ears' thread.
    """

    def __init__(
        self, own_sound: OwnSound | None, rules: BargeInRules, on_interruption: Callable[[Interruption], None]
    ) -> None:
        self._own_sound = own_sound
        self._suppressor = EchoSuppressor()
        self._foreground = Foreground()
        self._sounds = False
        self._barge_in = BargeIn(rules)
        self._rules = rules
        self._on_interruption = on_interruption
        self._reading: Future[Recognition] | None = None
        self._frames = 0

    @property
    def confirmed(self) -> bool:
        """Whether somebody has taken the turn from the robot."""
        return self._barge_in.confirmed

    def clean(self, frame: Samples, first: int) -> Samples:
        """The next frame of the microphone without the robot's voice; `first` is its number by `SampleClock`."""
        if self._own_sound is None:
            self._sounds = self._foreground.push(frame, excess=1.0)
            return frame
        residual = self._suppressor.suppress(frame, self._own_sound.read(first, frame.size))
        self._sounds = self._foreground.push(residual.samples, residual.excess)
        return residual.samples

    def judge(self, probability: float, voice: OwnVoice, in_utterance: bool) -> None:
        """Takes the probability of speech of the frame cleaned last, and whether it is part of an utterance."""
        self._report(self._barge_in.push(probability, self._sounds, voice.muted))
        if self.confirmed and not in_utterance and self._barge_in.silence >= self._rules.dismiss:
            self._barge_in.reset()
        if self._reading is None or not self._reading.done():
            return
        reading, self._reading = self._reading, None
        # What the recogniser raises here it raises again over the whole utterance, and then it is reported.
        if not reading.cancelled() and reading.exception() is None and not reading.result().rejection:
            self._report(self._barge_in.understand(reading.result().text, voice.text))

    def read(self, decode: Callable[[], Future[Recognition]]) -> None:
        """Has the utterance so far decoded if its words may matter now."""
        self._frames += 1
        undecided = self._barge_in.suspected or self.confirmed
        if undecided and not self._barge_in.stop and self._reading is None and self._frames >= READ_EVERY:
            self._frames = 0
            self._reading = decode()

    def reset(self) -> None:
        """Ends what was going on: no more sound comes."""
        if self._barge_in.suspected:
            self._report(BargeInStage.DISMISSED)
        self._barge_in.reset()
        self._suppressor.restart()

    def _report(self, stage: BargeInStage | None) -> None:
        if stage is None:
            return
        began = time.time() - self._barge_in.begun * FRAME_SECONDS
        self._on_interruption(Interruption(stage, self._barge_in.stop, self._barge_in.text, began))


class Foreground:
    """Follows the noise of a room and tells what is louder: speech, but a cough or a door too.

    The noise is the least level of late, as in R. Martin, "Noise power spectral density estimation based on optimal
    smoothing and minimum statistics", 2001, of the whole band.
    """

    def __init__(self) -> None:
        self._noise = QUIETEST

    def push(self, samples: Samples, excess: float) -> bool:
        """Takes the next frame, without the robot's voice. Returns whether it stands out.

        Args:
            samples: Its sound.
            excess: Part, 0..1, of what was heard that the robot's own voice does not explain.
        """
        level = level_dbfs(samples)
        self._noise = min(max(level, QUIETEST), self._noise + RISE, LOUDEST)
        return level > self._noise + ABOVE and excess > EXCESS
