"""Head motion during speech: small offsets that are computed from the audio and synchronized with the audio.

The loudness of speech carries its rhythm: there are four or five syllables per second, and people nod with the stressed
ones (Munhall et al., "Visual Prosody and Speech Intelligibility", 2004). Therefore, the head nods with the syllables
and sways slowly from side to side, with an amplitude that grows with loudness. The same sound always produces the same
motion.
"""

from __future__ import annotations

import math
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import FULL_SCALE, Samples
from reachy_agent_ros.core.pose import Vector

FRAME_SECONDS = 0.01
"""Period of the loudness samples, s."""

QUIETEST, LOUDEST = -50.0, -12.0
"""Levels that correspond to loudness 0 and 1, dBFS: a breath, and the voice's stressed vowels."""

SYLLABLE, PHRASE = 0.24, 0.8
"""Lengths of the windows that smooth the loudness, s: the first passes one nod per syllable and nothing faster than the
neck can follow, the second the rise and fall of a phrase."""

NOD = math.radians(7.0)
TURN = math.radians(6.0)
TILT = math.radians(4.0)
LIFT = 0.004
"""Rotations about y, z and x, rad, and translation along z, m, at full loudness; speech reaches two thirds of it."""

TURN_RATE, TILT_RATE = 0.8, 1.3
"""Frequencies of the sway at full loudness, Hz. The sway stops during silence, to keep the rhythm of speech."""

LEAD = 0.15
"""Delay of the simulated head behind its offsets at two to three nods per second, s."""

SETTLING = 0.04
"""Time constant with which the sent offset follows the motion, s: smooths the end of a piece and a cancellation."""

_REST = 1e-5
"""Threshold below which offsets and their rates count as zero, m, rad and per second."""

PERIOD = 0.02
"""Time between two offsets, s."""

TICK = 0.5
"""Maximum time between two checks of whether the thread must end, while the head is at rest, s."""


@dataclass(frozen=True)
class HeadOffset:
    """Offset, in the frame of the head, that is added to the pose of the head.

    Attributes:
        translation: x, y, z, m.
        rotation: Rotation vector, rad.
    """

    translation: Vector = field(default_factory=lambda: np.zeros(3))
    rotation: Vector = field(default_factory=lambda: np.zeros(3))


class SpeechMotion:
    """Head motion for one segment of speech audio.

    The offsets are smoothed symmetrically in time, so they do not lag behind the sound: the motion begins slightly
    before the first sample, and is exactly zero from `after`.

    Args:
        samples: Mono samples, shape [n].
        sample_rate: Sample rate, Hz.
        phase: Phase of the sway at the start, in seconds at full loudness: `SpeechMotion.phase` of the previous piece.

    Attributes:
        phase: Phase of the sway at the end of the sound.
        after: Time from the first sample to the end of the motion, s.
    """

    def __init__(self, samples: Samples, sample_rate: int, phase: float = 0.0) -> None:
        loudness = _loudness(samples, sample_rate)
        margin = round(PHRASE / 2 / FRAME_SECONDS)
        padded = np.pad(loudness, margin + 1)
        syllable, phrase = _smoothed(padded, SYLLABLE), _smoothed(padded, PHRASE)
        progress = phase + np.cumsum(phrase) * FRAME_SECONDS
        self.phase = float(progress[-1])
        self.after = (loudness.size + margin + 1) * FRAME_SECONDS
        self._times = (np.arange(padded.size) - margin - 0.5) * FRAME_SECONDS
        self._rows = np.stack(
            [
                LIFT * syllable,
                TILT * phrase * np.sin(2.0 * math.pi * TILT_RATE * progress),
                NOD * (syllable - 0.5 * phrase),
                TURN * phrase * np.sin(2.0 * math.pi * TURN_RATE * progress),
            ]
        )

    def at(self, seconds: float) -> HeadOffset:
        """Returns the head offset at `seconds` after the first sample. The offset is 0 before and after the motion."""
        lift, tilt, nod, turn = (float(np.interp(seconds, self._times, row, 0.0, 0.0)) for row in self._rows)
        return HeadOffset(np.array([0.0, 0.0, lift]), np.array([tilt, nod, turn]))


class SpeechMotionPlayer:
    """Computes the head offset to send now. Looks ahead in the audio, because the head follows with a delay.

    `foresee` receives every piece of sound in advance. As a sink, the player learns when each chunk is played. Any
    thread may call any method.

    Args:
        amplitude: Scale of `SpeechMotion`, 0 to 1; 0 disables the motion.
        lead: Delay from sending an offset to the head's motion, s.
        latency: Function that returns the delay from writing a chunk to hearing it, s.
        clock: Steady clock, s.
    """

    def __init__(
        self,
        amplitude: float,
        lead: float,
        latency: Callable[[], float],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._amplitude = amplitude
        self._lead = lead + 2.0 * SETTLING
        self._latency = latency
        self._clock = clock
        self._lock = threading.Lock()
        self._awake = threading.Event()
        self._rate = 0
        self._pieces: list[tuple[float, SpeechMotion]] = []
        self._phase = 0.0
        self._begin = 0.0
        self._foreseen = self._written = 0
        self._value, self._speed, self._advanced = np.zeros(6), np.zeros(6), 0.0

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Starts an utterance."""
        del utterance_id
        with self._lock:
            self._rate = sample_rate
            self._pieces = []
            self._foreseen = self._written = 0
            self._begin = math.inf

    def foresee(self, samples: Samples) -> None:
        """Adds the next audio segment of the utterance. Call this before the segment is played."""
        if self._amplitude == 0.0:
            return
        with self._lock:
            wobble = SpeechMotion(samples, self._rate, self._phase)
            self._phase = wobble.phase
            self._pieces.append((self._foreseen / self._rate, wobble))
            self._foreseen += samples.size
            if math.isinf(self._begin):
                self._begin = self._clock() + self._latency()
            if not self._awake.is_set():
                self._advanced = self._clock()
                self._awake.set()

    def write(self, samples: Samples) -> None:
        """Records that an audio chunk is written to the loudspeaker now."""
        with self._lock:
            self._begin = self._clock() + self._latency() - self._written / self._rate
            self._written += samples.size

    def end(self, *, cancelled: bool) -> None:
        """Ends the motion together with the audio. If `cancelled`, ends the motion immediately."""
        if cancelled:
            with self._lock:
                self._pieces = []

    def wait(self, seconds: float) -> bool:
        """Waits up to `seconds` for the start of a motion. Returns whether a motion is in progress."""
        return self._awake.wait(seconds)

    def advance(self) -> HeadOffset:
        """Returns the current head offset. At the end of the motion, the offset is exactly zero."""
        with self._lock:
            now = self._clock()
            self._follow(self._wanted(now), now - self._advanced)
            self._advanced = now
            if self._over(now):
                self._awake.clear()
                self._value, self._speed = np.zeros(6), np.zeros(6)
            return HeadOffset(self._value[:3], self._value[3:])

    def _wanted(self, now: float) -> Vector:
        """Returns the sum of the motions of all segments. The motions are smooth and overlap in time."""
        heard = now + self._lead - self._begin
        total = np.zeros(6)
        for start, wobble in self._pieces:
            offset = wobble.at(heard - start)
            total += np.concatenate([offset.translation, offset.rotation])
        return self._amplitude * total

    def _over(self, now: float) -> bool:
        heard = now + self._lead - self._begin
        if any(heard - start < wobble.after for start, wobble in self._pieces):
            return False
        return float(np.max(np.abs([self._value, self._speed]))) < _REST

    def _follow(self, wanted: Vector, elapsed: float) -> None:
        """Advances a critically damped second-order filter, which has a continuous velocity and lags 2 `SETTLING`."""
        distance = self._value - wanted
        pull = self._speed + distance / SETTLING
        decay = math.exp(-elapsed / SETTLING)
        self._value = wanted + (distance + pull * elapsed) * decay
        self._speed = (self._speed - pull * elapsed / SETTLING) * decay


class SpeechMotionSender:
    """Thread that sends the offsets of a `SpeechMotionPlayer` during a motion. The last offset is zero.

    Args:
        wobbler: Player that computes the offsets.
        send: Callback in this thread, with each offset.
    """

    def __init__(self, wobbler: SpeechMotionPlayer, send: Callable[[HeadOffset], None]) -> None:
        self._wobbler = wobbler
        self._send = send
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="wobble", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops the thread."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        due = 0.0
        while not self._closing.is_set():
            if self._wobbler.wait(TICK):
                self._send(self._wobbler.advance())
                now = time.monotonic()
                due = max(due + PERIOD, now)
                self._closing.wait(due - now)


def _loudness(samples: Samples, sample_rate: int) -> NDArray[np.float64]:
    """Returns the loudness (0 to 1) of every frame. Pads the last frame with silence."""
    size = round(FRAME_SECONDS * sample_rate)
    frames = np.pad(samples, (0, -samples.size % size)).reshape(-1, size).astype(np.float32)
    power = np.mean(np.square(frames), axis=1, dtype=np.float64) / FULL_SCALE**2
    level = 10.0 * np.log10(np.maximum(power, 1e-12))
    return np.asarray(np.clip((level - QUIETEST) / (LOUDEST - QUIETEST), 0.0, 1.0))


def _smoothed(values: NDArray[np.float64], seconds: float) -> NDArray[np.float64]:
    """Returns the moving average of a signal with a Hann window of `seconds`."""
    window = np.hanning(round(seconds / FRAME_SECONDS) + 1)
    return np.convolve(values, window / window.sum(), mode="same")
