"""The robot's own noise, its voice and its motors, which its ears must not take for a person's voice."""

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
"""Seconds after the voice ended in which the room still answers."""

STALE = 2.0
"""Seconds without news after which a voice counts as silent: its node may have died in mid-word."""

LONGEST_STOP = 4
"""Words. A longer sentence with "stop" in it while the robot speaks is more likely the robot's."""

_STOP = re.compile(r"\bstop\b", re.IGNORECASE)

KEPT = 4 * SAMPLE_RATE
"""Samples remembered: longer than sound waits anywhere on its way to the ears."""

LOUD = 0.5
"""rad/s of any joint from which on its motor is heard: breathing and wobbling stay below, gestures do not."""

MOTOR_COOL_DOWN = 0.3
"""Seconds after a loud motion in which its sound is still on its way to the ears."""


class OwnVoice:
    """Half duplex: while the robot speaks its ears are muted, for everything but a short "stop".

    That word passes where the person's voice reaches the recogniser by itself: sound from a topic or a file, a
    microphone with echo cancellation, or a robot whose sink is not a speaker. With the robot's voice in the same
    microphone the two are one long utterance, and "stop" is heard only if the robot pauses.
    """

    def __init__(self) -> None:
        self._muted_until = -float("inf")
        self._says_stop = False
        self._text = ""

    def update(self, speaking: bool, text: str) -> None:
        """Takes the voice's state: whether it speaks, and the clause it says."""
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
        """The clause it says, or said last."""
        return self._text

    @property
    def muted(self) -> bool:
        """Whether the robot speaks, or spoke just now."""
        return time.monotonic() < self._muted_until

    def lets_pass(self, text: str) -> bool:
        """Whether a text heard while muted is a person's stop."""
        return not self._says_stop and len(text.split()) <= LONGEST_STOP and bool(_STOP.search(text))


class OwnSound:
    """The last seconds of the robot's voice at 16 kHz on the wall clock. One thread writes, another reads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clock = SampleClock()
        self._ring = np.zeros(KEPT, np.int16)
        self._end = 0
        self._stream: tuple[str, int, int] | None = None

    def write(self, chunk: Chunk, time: float) -> None:
        """Takes a chunk whose first sample is to be heard at `time`, s since the epoch.

        Raises:
            AgentError: `AUDIO_UNSUPPORTED`: a format that cannot be converted.
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
        """`size` samples from number `first` on, counted as `SampleClock` does; zeros where nothing was given out."""
        numbers = np.arange(first, first + size)
        with self._lock:
            known = (numbers >= self._end - KEPT) & (numbers < self._end)
            return np.where(known, self._ring[numbers % KEPT], 0).astype(np.int16)

    def _forget(self, first: int) -> None:
        """Silences what lies between the last chunk and this one; a step back of the clock silences all."""
        if self._end <= first < self._end + KEPT:
            self._ring[np.arange(self._end, first) % KEPT] = 0
        else:
            self._ring[:] = 0


class OwnMotion:
    """Tells from the joints' positions whether the motors are loud. Times are seconds of any one clock."""

    def __init__(self) -> None:
        self._last: tuple[float, np.ndarray] | None = None
        self._loud_until = -float("inf")

    def update(self, positions: Sequence[float], now: float) -> None:
        """Takes the measured positions of all joints, rad, always in the same order."""
        joints = np.asarray(positions, np.float64)
        last, self._last = self._last, (now, joints)
        if last is None or last[1].shape != joints.shape or now <= last[0]:
            return
        if np.any(np.abs(joints - last[1]) > LOUD * (now - last[0])):
            self._loud_until = now + MOTOR_COOL_DOWN

    def loud(self, now: float) -> bool:
        """Whether the motors make noise, or did so a moment ago."""
        return now < self._loud_until


@dataclass(frozen=True)
class OwnNoise:
    """All that is known of it.

    Attributes:
        voice: Whether the robot speaks, and what it says.
        sound: What it gives out.
        motion: Whether its motors are loud.
    """

    voice: OwnVoice = field(default_factory=OwnVoice)
    sound: OwnSound = field(default_factory=OwnSound)
    motion: OwnMotion = field(default_factory=OwnMotion)
