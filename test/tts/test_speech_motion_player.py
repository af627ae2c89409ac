from __future__ import annotations

import math
import threading
import uuid

import numpy as np
import pytest
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import Samples, from_float
from reachy_agent_ros.tts.speech_motion import HeadOffset, SpeechMotion
from reachy_agent_ros.tts.speech_motion_player import SETTLING, SpeechMotionPlayer, SpeechMotionSender
from support.waiting import wait_until

RATE = 16_000
CHUNK = 0.04
PERIOD = 0.02
LEAD, LATENCY = 0.15, 0.06


def noise(seconds: float, beat: float = 2.0) -> Samples:
    """Sound that swells and fades `beat` times a second."""
    times = np.arange(round(seconds * RATE)) / RATE
    generator = np.random.default_rng(7)
    return from_float(0.3 * np.sin(math.pi * beat * times) ** 2 * generator.uniform(-1.0, 1.0, times.size))


class Show:
    """Plays sound to a wobbler on a clock of its own, and keeps the offsets of every `PERIOD`."""

    def __init__(self, amplitude: float = 1.0) -> None:
        self.now = 100.0
        self.wobbler = SpeechMotionPlayer(amplitude, LEAD, lambda: LATENCY, lambda: self.now)
        self.times: list[float] = []
        self.offsets: list[HeadOffset] = []
        self.wobbler.start(uuid.uuid4(), RATE)

    def play(self, samples: Samples, seconds: float = math.inf, foreseen: bool = False) -> None:
        """Plays a clause, or its first seconds."""
        if not foreseen:
            self.wobbler.foresee(samples)
        size = round(CHUNK * RATE)
        end = self.now + min(seconds, samples.size / RATE)
        for start in range(0, samples.size, size):
            if self.now >= end - 1e-9:
                return
            self.wobbler.write(samples[start : start + size])
            self.watch(2)

    def watch(self, periods: int) -> None:
        for _ in range(periods):
            self.now += PERIOD
            if self.wobbler.wait(0.0):
                self.times.append(self.now)
                self.offsets.append(self.wobbler.advance())

    def watch_to_the_end(self) -> float:
        """Returns the seconds until the wobbler rests."""
        begin = self.now
        while self.wobbler.wait(0.0):
            self.watch(1)
            assert self.now - begin < 5.0
        return self.now - begin

    @property
    def rows(self) -> NDArray[np.float64]:
        return np.array([[*offset.translation, *offset.rotation] for offset in self.offsets])


def test_the_head_will_have_moved_when_the_sound_is_heard() -> None:
    show, sound = Show(), noise(4.0)
    begin = show.now + LATENCY
    show.play(sound)
    wobble = SpeechMotion(sound, RATE)
    nods = show.rows[50:150, 4]

    def likeness(lead: float) -> float:
        heard = [wobble.at(time + lead - begin).rotation[1] for time in show.times[50:150]]
        return float(np.corrcoef(nods, heard)[0, 1])

    assert likeness(LEAD) > 0.95
    assert max(np.arange(-0.2, 0.4, 0.01), key=likeness) == pytest.approx(LEAD, abs=0.03)


def test_a_player_that_pauses_takes_the_movement_with_it() -> None:
    show, sound = Show(), noise(4.0)
    show.wobbler.foresee(sound)
    size = round(CHUNK * RATE)
    for number, start in enumerate(range(0, sound.size, size)):
        if number == 20:
            show.watch(15)
        show.wobbler.write(sound[start : start + size])
        show.watch(2)
    straight = Show()
    straight.play(sound)
    assert np.abs(show.rows[-60:] - straight.rows[-60:]).max() < 1e-3


def test_it_ends_with_the_sound_at_exactly_nothing() -> None:
    show = Show()
    show.play(noise(1.0))
    show.wobbler.end(cancelled=False)
    assert show.watch_to_the_end() < 0.8
    assert not show.rows[-1].any()
    assert show.rows[:-1].any()


def test_a_cancel_ends_it_at_once_and_smoothly() -> None:
    show = Show()
    show.play(noise(4.0), 1.9)
    before = np.abs(show.rows[-1]).max()
    cancelled = len(show.offsets)
    show.wobbler.end(cancelled=True)
    show.watch(round(4.0 * SETTLING / PERIOD))
    assert np.abs(show.rows[-1]).max() < 0.3 * before
    assert show.watch_to_the_end() < 0.5
    assert not show.rows[-1].any()
    turns = np.diff(show.rows[cancelled - 5 :, 3:], 2, axis=0) / PERIOD**2
    assert np.abs(turns).max() < 50.0


def test_one_clause_passes_into_the_next_without_a_jump() -> None:
    show = Show()
    for beat in (2.0, 3.0, 1.0):
        show.play(noise(1.03, beat))
    show.wobbler.end(cancelled=False)
    show.watch_to_the_end()
    assert np.abs(np.diff(show.rows[:, 3:], axis=0)).max() < 1.2 * PERIOD
    assert np.abs(np.diff(show.rows[:, 3:], 2, axis=0)).max() < 30.0 * PERIOD**2


def test_two_clauses_foreseen_together_move_the_head_as_one_sound() -> None:
    whole, halves, sound = Show(), Show(), noise(3.2)
    whole.play(sound)
    half = sound.size // 2
    halves.wobbler.foresee(sound[:half])
    halves.wobbler.foresee(sound[half:])
    halves.play(sound, foreseen=True)
    lift, nod = 2, 4
    for row in (lift, nod):
        assert halves.rows[:, row] == pytest.approx(whole.rows[:, row], abs=1e-3)


def test_the_amplitude_scales_the_movement() -> None:
    whole, half, none = Show(1.0), Show(0.5), Show(0.0)
    for show in (whole, half, none):
        show.play(noise(1.0))
    assert half.rows == pytest.approx(0.5 * whole.rows)
    assert not none.offsets


@pytest.mark.slow
def test_the_sender_rests_until_there_is_sound_and_again_after_its_last_zero() -> None:
    sent: list[HeadOffset] = []
    wobbler = SpeechMotionPlayer(1.0, LEAD, lambda: 0.0)
    sender = SpeechMotionSender(wobbler, sent.append)
    try:
        wobbler.start(uuid.uuid4(), RATE)
        assert not sent
        wobbler.foresee(noise(0.4))
        wobbler.write(noise(0.04))
        wait_until(lambda: not wobbler.wait(0.0), 10.0, "rest")
        assert any(offset.rotation.any() for offset in sent)
        wait_until(lambda: not sent[-1].rotation.any(), 1.0, "the last offset")
    finally:
        sender.close()
    assert "wobble" not in {thread.name for thread in threading.enumerate()}
