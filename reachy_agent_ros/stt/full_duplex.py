"""Full-duplex listening, which detects a person who interrupts the robot."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from reachy_agent_ros.audio.samples import Samples, level_dbfs
from reachy_agent_ros.stt.barge_in import BargeIn, BargeInRules, BargeInStage
from reachy_agent_ros.stt.echo import EchoSuppressor
from reachy_agent_ros.stt.own_noise import OwnSound, OwnVoice
from reachy_agent_ros.stt.recognizer import Recognition
from reachy_agent_ros.stt.voice_detectors import FRAME_SECONDS

READ_EVERY = 8
"""Frames between two transcriptions of an interruption: 0.25 s, two to three times the decoding time."""

ABOVE = 15.0
"""Level above the room's noise at which a frame stands out, dB."""

RISE = 0.1
"""Assumed rise of the noise per frame until a quieter frame corrects it, dB: a fan that is switched on stands out for a
few seconds."""

QUIETEST, LOUDEST = -70.0, -30.0
"""Limits of the estimated noise of a room, dBFS."""

EXCESS = 0.2
"""Minimum fraction of the power that the robot's own voice does not explain."""


@dataclass(frozen=True)
class Interruption:
    """Interruption while the robot is speaking: the ROS-independent equivalent of `reachy_agent_msgs/BargeIn`.

    Attributes:
        stage: Stage of the decision.
        stop: Whether a recognized word also stops the body.
        text: Transcription so far.
        began: Start of the speech by the wall clock, s since the epoch.
    """

    stage: BargeInStage
    stop: bool
    text: str
    began: float


class FullDuplex:
    """Listener that removes the robot's voice from the microphone signal and reports interruptions.

    Use only from the capture thread.

    Args:
        own_sound: Sound played by the robot; None if the microphone has built-in echo cancellation.
        rules: Thresholds for an interruption.
        on_interruption: Callback in the capture thread, with each interruption.
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
        """Whether a person has interrupted the robot."""
        return self._barge_in.confirmed

    def clean(self, frame: Samples, first: int) -> Samples:
        """Removes the robot's voice from the next frame. The first sample has the number `first` (`SampleClock`)."""
        if self._own_sound is None:
            self._sounds = self._foreground.push(frame, excess=1.0)
            return frame
        residual = self._suppressor.suppress(frame, self._own_sound.read(first, frame.size))
        self._sounds = self._foreground.push(residual.samples, residual.excess)
        return residual.samples

    def judge(self, probability: float, voice: OwnVoice, in_utterance: bool) -> None:
        """Updates the interruption with the speech probability of the last processed frame, and reports changes."""
        self._report(self._barge_in.push(probability, self._sounds, voice.muted))
        if self.confirmed and not in_utterance and self._barge_in.silence >= self._rules.dismiss:
            self._barge_in.reset()
        if self._reading is None or not self._reading.done():
            return
        reading, self._reading = self._reading, None
        # An error of the recognizer is reported when the complete utterance raises it again.
        if not reading.cancelled() and reading.exception() is None and not reading.result().rejection:
            self._report(self._barge_in.understand(reading.result().text, voice.text))

    def read(self, decode: Callable[[], Future[Recognition]]) -> None:
        """Decodes the current utterance at the first suspicion, and then at most every `READ_EVERY` frames.

        The text may contain "stop", "wait" or "no", or be only a backchannel.
        """
        undecided = self._barge_in.suspected or self.confirmed
        self._frames = self._frames + 1 if undecided else READ_EVERY
        if undecided and not self._barge_in.stop and self._reading is None and self._frames >= READ_EVERY:
            self._frames = 0
            self._reading = decode()

    def reset(self) -> None:
        """Ends an interruption. Call this at the end of the stream."""
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
    """Tracks the level of background noise, and detects louder sounds such as speech, a cough or a door.

    The noise is the minimum of recent levels, as in R. Martin, "Noise power spectral density estimation based on
    optimal smoothing and minimum statistics", 2001, but over the complete frequency band.
    """

    def __init__(self) -> None:
        self._noise = QUIETEST

    def push(self, samples: Samples, excess: float) -> bool:
        """Processes the next frame. Returns whether it exceeds the noise by `ABOVE` and is not the robot's own voice.

        Args:
            samples: Samples of the frame without the robot's voice.
            excess: Fraction of the power that the robot's own voice does not explain, 0 to 1.
        """
        level = level_dbfs(samples)
        self._noise = min(max(level, QUIETEST), self._noise + RISE, LOUDEST)
        return level > self._noise + ABOVE and excess > EXCESS
