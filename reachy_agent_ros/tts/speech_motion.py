"""How the head moves with what it says: small offsets made from the sound itself, and sent in time with it.

The loudness of speech carries its rhythm: syllables follow one another four or five times a second, and people nod
with those they stress (Munhall et al., "Visual Prosody and Speech Intelligibility", 2004). So the head nods with the
syllables, and sways slowly from side to side, the further the louder, for as long as there is sound. The same sound
always makes the same movement.
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
"""Loudness is taken a hundred times a second."""

QUIETEST, LOUDEST = -50.0, -12.0
"""dB below full scale between which loudness counts from 0 to 1: a breath, and the voice's stressed vowels."""

SYLLABLE, PHRASE = 0.24, 0.8
"""Lengths of the windows, s, that smooth loudness: the first lets a nod a syllable pass and nothing faster than the
neck can follow, the second the rise and fall of a phrase."""

NOD = math.radians(7.0)
TURN = math.radians(6.0)
TILT = math.radians(4.0)
LIFT = 0.004
"""Rotations about y, z and x and the rise along z, rad and m, at full loudness; speech reaches two thirds of it."""

TURN_RATE, TILT_RATE = 0.8, 1.3
"""Hz of the sway at full loudness. It stands still while nothing is heard, so that it keeps the rhythm of speech."""

LEAD = 0.15
"""Seconds by which the simulated head lags behind the offsets it is sent, at two to three nods a second."""

SETTLING = 0.04
"""Time constant, s, with which the offset follows the sound's: it bridges where one piece ends or is broken off."""

_REST = 1e-5
"""m, rad, and their rates: what is smaller is nothing."""

PERIOD = 0.02
"""Seconds between two offsets."""

TICK = 0.5
"""Seconds after which the thread looks around although the head rests."""


@dataclass(frozen=True)
class HeadOffset:
    """What is added to the head's pose, in the head's own frame.

    Attributes:
        translation: x, y, z, m.
        rotation: Rotation vector, rad.
    """

    translation: Vector = field(default_factory=lambda: np.zeros(3))
    rotation: Vector = field(default_factory=lambda: np.zeros(3))


class SpeechMotion:
    """The movement that belongs to one piece of sound.

    Each offset is smoothed evenly to both sides of its moment, so nothing lags behind the sound: the movement begins
    a little before the first sample, and is exactly zero from `after` on.

    Args:
        samples: The sound, shape [n].
        sample_rate: Hz.
        phase: Of the sway when the sound begins, in full-loudness seconds: `SpeechMotion.phase` of the piece before it.

    Attributes:
        phase: Of the sway when the sound has ended.
        after: Seconds from the first sample to the end of the movement.
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
        """Offset for the sound that is heard `seconds` after the first sample; zero before and after the movement."""
        lift, tilt, nod, turn = (float(np.interp(seconds, self._times, row, 0.0, 0.0)) for row in self._rows)
        return HeadOffset(np.array([0.0, 0.0, lift]), np.array([tilt, nod, turn]))


class SpeechMotionPlayer:
    """Knows what the head adds to its pose now for the sound that is heard when the head gets there.

    It is told every piece of sound once it is made, and is a sink besides, for the time at which each chunk is played.
    Any thread may call it.

    Args:
        amplitude: 0..1, of `SpeechMotion`'s movement; with 0 there is never anything to do.
        lead: Seconds from an offset's sending to the head's movement.
        latency: Seconds from a chunk's writing to its sound.
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
        """Begins an utterance."""
        del utterance_id
        with self._lock:
            self._rate = sample_rate
            self._pieces = []
            self._foreseen = self._written = 0
            self._begin = math.inf

    def foresee(self, samples: Samples) -> None:
        """Takes the sound of the utterance's next piece, at any time before it is written."""
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
        """Notes that a chunk is being played."""
        with self._lock:
            self._begin = self._clock() + self._latency() - self._written / self._rate
            self._written += samples.size

    def end(self, *, cancelled: bool) -> None:
        """Lets the movement end with the sound, or breaks it off."""
        if cancelled:
            with self._lock:
                self._pieces = []

    def wait(self, seconds: float) -> bool:
        """Waits until the head has something to do. Returns whether it has."""
        return self._awake.wait(seconds)

    def advance(self) -> HeadOffset:
        """Moves on to the present. Once the movement is over its offset is exactly zero, and `wait` waits again."""
        with self._lock:
            now = self._clock()
            self._follow(self._wanted(now), now - self._advanced)
            self._advanced = now
            if self._over(now):
                self._awake.clear()
                self._value, self._speed = np.zeros(6), np.zeros(6)
            return HeadOffset(self._value[:3], self._value[3:])

    def _wanted(self, now: float) -> Vector:
        """Sum of all pieces: each is smooth by itself, and grows and fades beyond its ends into its neighbours."""
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
        """Steps a critically damped second order system exactly: its speed never jumps, and it lags by 2 `SETTLING`."""
        distance = self._value - wanted
        pull = self._speed + distance / SETTLING
        decay = math.exp(-elapsed / SETTLING)
        self._value = wanted + (distance + pull * elapsed) * decay
        self._speed = (self._speed - pull * elapsed / SETTLING) * decay


class SpeechMotionSender:
    """Sends a wobbler's offsets while the head moves, the last one being zero. The player never waits for it.

    Args:
        wobbler: Knows what to send.
        send: Called in this thread.
    """

    def __init__(self, wobbler: SpeechMotionPlayer, send: Callable[[HeadOffset], None]) -> None:
        self._wobbler = wobbler
        self._send = send
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="wobble", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread."""
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
    """Loudness of every frame, 0..1; the last frame is filled up with silence."""
    size = round(FRAME_SECONDS * sample_rate)
    frames = np.pad(samples, (0, -samples.size % size)).reshape(-1, size).astype(np.float32)
    power = np.mean(np.square(frames), axis=1, dtype=np.float64) / FULL_SCALE**2
    level = 10.0 * np.log10(np.maximum(power, 1e-12))
    return np.asarray(np.clip((level - QUIETEST) / (LOUDEST - QUIETEST), 0.0, 1.0))


def _smoothed(values: NDArray[np.float64], seconds: float) -> NDArray[np.float64]:
    """The mean about every value, weighted by a Hann window of `seconds`."""
    window = np.hanning(round(seconds / FRAME_SECONDS) + 1)
    return np.convolve(values, window / window.sum(), mode="same")
