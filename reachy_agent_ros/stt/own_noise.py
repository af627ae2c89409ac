"""The robot's own voice and motor noise, which must not be recognized as a person's speech."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.stt.audio_stream import Chunk, SampleClock

COOL_DOWN = 0.3
"""Time during which the room still reverberates after the robot has stopped speaking, s."""

STALE = 2.0
"""Time without an update after which the voice counts as silent, s: its node may have crashed mid-word."""

LONGEST_STOP = 4
"""Maximum length of a "stop" sentence, words. While the robot speaks, a longer sentence is more likely its own."""

_STOP = re.compile(r"\bstop\b", re.IGNORECASE)

KEPT = 4 * SAMPLE_RATE
"""Number of samples kept: more than the total delay of sound on its way to the microphone."""

LOUD = 0.5
"""Joint speed above which a motor is audible, rad/s: breathing and speech motion are slower, gestures are faster."""

MOTOR_COOL_DOWN = 0.3
"""Time after a loud motion during which its sound may still arrive at the microphone, s."""


class OwnVoice:
    """Half-duplex muting: while the robot speaks, ignores everything except a short "stop".

    The word is recognized if the voice of the person arrives without the voice of the robot: sound from a topic or a
    file, a microphone with echo cancellation, or a robot without a loudspeaker. If the microphone also picks up the
    robot, both voices form one long utterance, and "stop" is recognized only when the robot pauses.
    """

    def __init__(self) -> None:
        self._muted_until = -float("inf")
        self._says_stop = False
        self._text = ""

    def update(self, speaking: bool, text: str) -> None:
        """Updates the state of the robot's voice: whether the robot speaks, and the current clause."""
        now = time.monotonic()
        self._text = text
        if not self.muted:
            self._says_stop = False
        if speaking:
            self._muted_until = now + STALE
            self._says_stop |= bool(_STOP.search(text))
        elif now < self._muted_until:
            self._muted_until = min(self._muted_until, now + COOL_DOWN)

    @property
    def text(self) -> str:
        """Current or last clause of the robot's speech."""
        return self._text

    @property
    def muted(self) -> bool:
        """Whether the robot is speaking or has just stopped speaking."""
        return time.monotonic() < self._muted_until

    def lets_pass(self, text: str) -> bool:
        """Returns whether a text that was recognized during muting is a "stop" that a person said."""
        return not self._says_stop and len(text.split()) <= LONGEST_STOP and bool(_STOP.search(text))


class OwnSound:
    """Buffer of the last few seconds of the robot's voice at 16 kHz. One thread may write while another reads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clock = SampleClock()
        self._ring = np.zeros(KEPT, np.int16)
        self._end = 0
        self._stream: tuple[str, int, int] | None = None

    def write(self, chunk: Chunk, time: float) -> None:
        """Adds a chunk whose first sample is audible at `time` (s since the epoch).

        Raises:
            AgentError: `AUDIO_UNSUPPORTED` for a format that cannot be converted, or an incomplete frame.
        """
        stream = (chunk.stream, chunk.sample_rate, chunk.channels)
        if stream != self._stream:
            self._resampler, self._stream = Resampler(chunk.sample_rate, chunk.channels), stream
        samples = self._resampler.process(chunk.samples)[-KEPT:]
        with self._lock:
            first = self._clock.place(time, samples.size)
            self._forget(first)
            self._ring[np.arange(first, first + samples.size) % KEPT] = samples
            self._end = first + samples.size

    def read(self, first: int, size: int) -> Samples:
        """Returns `size` samples from number `first` (`SampleClock`) on. Samples without playback are 0."""
        numbers = np.arange(first, first + size)
        with self._lock:
            known = (numbers >= self._end - KEPT) & (numbers < self._end)
            return np.where(known, self._ring[numbers % KEPT], 0).astype(np.int16)

    def _forget(self, first: int) -> None:
        """Clears the gap between the last chunk and the next chunk. If the clock was set back, clears all samples."""
        if self._end <= first < self._end + KEPT:
            self._ring[np.arange(self._end, first) % KEPT] = 0
        else:
            self._ring[:] = 0


class OwnMotion:
    """Detects loud motors by the speed of the joints. All times (s) must come from the same clock."""

    def __init__(self) -> None:
        self._last: tuple[float, np.ndarray] | None = None
        self._loud_until = -float("inf")

    def update(self, positions: Sequence[float], now: float) -> None:
        """Takes a measurement of all joint positions (rad). Every call must list the joints in the same order."""
        joints = np.asarray(positions, np.float64)
        last, self._last = self._last, (now, joints)
        if last is None or last[1].shape != joints.shape or now <= last[0]:
            return
        if np.any(np.abs(joints - last[1]) > LOUD * (now - last[0])):
            self._loud_until = now + MOTOR_COOL_DOWN

    def loud(self, now: float) -> bool:
        """Returns whether the motors are loud at a time, or were loud shortly before that time."""
        return now < self._loud_until


@dataclass(frozen=True)
class OwnNoise:
    """Sources of the robot's own noise.

    Attributes:
        voice: State of the robot's voice.
        sound: Sound played by the robot.
        motion: Noise of the motors.
    """

    voice: OwnVoice = field(default_factory=OwnVoice)
    sound: OwnSound = field(default_factory=OwnSound)
    motion: OwnMotion = field(default_factory=OwnMotion)
