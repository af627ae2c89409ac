"""Keeps the head's wobble in time with the sound that is heard."""

from __future__ import annotations

import math
import threading
import time
import uuid
from collections.abc import Callable

import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.tts.speech_motion import HeadOffset, SpeechMotion

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
