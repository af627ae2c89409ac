from __future__ import annotations

import math
import threading
import uuid
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import Samples, from_float
from reachy_agent_ros.tts.speech_motion import (
    SETTLING,
    HeadOffset,
    SpeechMotion,
    SpeechMotionPlayer,
    SpeechMotionSender,
)
from support.speech_models import voice
from support.waiting import wait_until

STEP = 0.005


@cache
def sentence() -> Samples:
    return voice().synthesize("Hello! I can see a red cup on the table, and I would like to tell you all about it.")


def movement(samples: Samples, rate: int) -> NDArray[np.float64]:
    """Returns the head offsets [n, 6] (m and rad) for a sound, one every `STEP` seconds.

    The offsets begin 0.5 s before the sound and end 0.5 s after its end.
    """
    wobble = SpeechMotion(samples, rate)
    offsets = [wobble.at(time) for time in np.arange(-0.5, wobble.after + 0.5, STEP)]
    return np.array([[*offset.translation, *offset.rotation] for offset in offsets])


def tone(levels: list[float], rate: int = 16_000) -> Samples:
    """Returns a tone of 200 Hz that lasts 0.1 s at each amplitude."""
    amplitude = np.repeat(levels, rate // 10)
    return from_float(amplitude * np.sin(2.0 * math.pi * 200.0 * np.arange(amplitude.size) / rate))


def test_silence_causes_no_speech_motion() -> None:
    assert not movement(np.zeros(16_000, np.int16), 16_000).any()
    assert not movement(np.zeros(0, np.int16), 16_000).any()


@pytest.mark.slow
def test_speech_moves_head_by_several_degrees_and_millimeters() -> None:
    largest = np.abs(movement(sentence(), voice().sample_rate)).max(axis=0)
    assert 0.002 < largest[2] < 0.005
    assert math.radians(1.5) < largest[3] < math.radians(5.0)
    assert math.radians(3.0) < largest[4] < math.radians(6.0)
    assert math.radians(2.0) < largest[5] < math.radians(6.0)


def test_loud_speech_moves_head_farther_than_quiet_speech() -> None:
    loud, quiet, whispered = (
        np.sqrt(np.mean(movement((sentence() * gain).astype(np.int16), voice().sample_rate) ** 2, axis=0))
        for gain in (1.0, 0.25, 0.05)
    )
    moving = loud > 0.0
    assert (loud[moving] > 1.3 * quiet[moving]).all()
    assert (quiet[moving] > 1.3 * whispered[moving]).all()


def test_nod_amplitude_follows_current_loudness() -> None:
    rate = voice().sample_rate
    wobble = SpeechMotion(sentence(), rate)
    frames = np.resize(sentence(), (sentence().size // (rate // 50), rate // 50)).astype(float)
    level = np.log10(np.maximum(np.sqrt(np.mean(frames**2, axis=1)), 100.0))
    level = np.convolve(level, np.ones(9) / 9.0, "same")

    def likeness(delay: float) -> float:
        times = (np.arange(level.size) + 0.5) / 50.0 + delay
        return float(np.corrcoef(level, [wobble.at(time).rotation[1] for time in times])[0, 1])

    assert likeness(0.0) > 0.85
    assert max(np.arange(-0.3, 0.301, 0.02), key=likeness) < 0.05


def test_head_nods_in_rhythm_of_speech() -> None:
    beats = tone([0.0, 0.2, 0.2, 0.0, 0.0] * 8)
    nod = movement(beats, 16_000)[:, 4]
    spectrum = np.abs(np.fft.rfft(nod - nod.mean(), 1 << 14))
    frequencies = np.fft.rfftfreq(1 << 14, STEP)
    assert abs(frequencies[spectrum.argmax()] - 2.0) < 0.15


def test_speech_motion_speed_is_limited() -> None:
    rows = movement(sentence(), voice().sample_rate)
    spectrum = np.abs(np.fft.rfft(rows, axis=0)) ** 2
    fast = np.fft.rfftfreq(len(rows), STEP) > 8.0
    assert spectrum[fast].sum() < 0.01 * spectrum.sum()


def test_speech_motion_is_deterministic_and_continues_sway_of_last_sound() -> None:
    rate = voice().sample_rate
    first = SpeechMotion(sentence(), rate)
    assert first.at(1.0).rotation.tolist() == SpeechMotion(sentence(), rate).at(1.0).rotation.tolist()
    assert first.phase > 1.0
    assert SpeechMotion(sentence(), rate, first.phase).at(1.0).rotation[2] != first.at(1.0).rotation[2]


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(arrays(np.int16, st.integers(0, 8_000)), st.sampled_from([8_000, 16_000, 22_050]), st.floats(0.0, 100.0))
def test_any_sound_causes_small_continuous_motion(samples: Samples, rate: int, phase: float) -> None:
    wobble = SpeechMotion(samples, rate, phase)
    times = np.arange(-0.6, wobble.after + 0.1, STEP)
    rows = np.array([[*wobble.at(time).translation, *wobble.at(time).rotation] for time in times])
    assert np.abs(rows[:, :3]).max() <= 0.005
    assert np.abs(rows[:, 3:]).max() <= math.radians(8.0)
    assert not rows[0].any()
    assert not rows[times >= wobble.after].any()
    assert np.abs(np.diff(rows[:, :3], axis=0)).max() <= 0.1 * STEP
    assert np.abs(np.diff(rows[:, 3:], axis=0)).max() <= 2.0 * STEP


RATE = 16_000
CHUNK = 0.04
PERIOD = 0.02
LEAD, LATENCY = 0.15, 0.06


def noise(seconds: float, beat: float = 2.0) -> Samples:
    """Returns noise whose volume rises and falls `beat` times per second."""
    times = np.arange(round(seconds * RATE)) / RATE
    generator = np.random.default_rng(7)
    return from_float(0.3 * np.sin(math.pi * beat * times) ** 2 * generator.uniform(-1.0, 1.0, times.size))


class Show:
    """Plays speech motion with a simulated clock. Records the head offset in every `PERIOD`."""

    def __init__(self, amplitude: float = 1.0) -> None:
        self.now = 100.0
        self.wobbler = SpeechMotionPlayer(amplitude, LEAD, lambda: LATENCY, lambda: self.now)
        self.times: list[float] = []
        self.offsets: list[HeadOffset] = []
        self.wobbler.start(uuid.uuid4(), RATE)

    def play(self, samples: Samples, seconds: float = math.inf, foreseen: bool = False) -> None:
        """Plays a clause, or only its first `seconds` seconds, with the simulated clock."""
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
        """Advances the clock until the speech motion has ended. Returns the elapsed time (s)."""
        begin = self.now
        while self.wobbler.wait(0.0):
            self.watch(1)
            assert self.now - begin < 5.0
        return self.now - begin

    @property
    def rows(self) -> NDArray[np.float64]:
        return np.array([[*offset.translation, *offset.rotation] for offset in self.offsets])


def test_head_offset_precedes_sound() -> None:
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


def test_speech_motion_pauses_with_playback() -> None:
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


def test_speech_motion_ends_with_sound_at_zero_offset() -> None:
    show = Show()
    show.play(noise(1.0))
    show.wobbler.end(cancelled=False)
    assert show.watch_to_the_end() < 0.8
    assert not show.rows[-1].any()
    assert show.rows[:-1].any()


def test_cancellation_ends_speech_motion_smoothly() -> None:
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


def test_motion_is_continuous_between_clauses() -> None:
    show = Show()
    for beat in (2.0, 3.0, 1.0):
        show.play(noise(1.03, beat))
    show.wobbler.end(cancelled=False)
    show.watch_to_the_end()
    assert np.abs(np.diff(show.rows[:, 3:], axis=0)).max() < 1.2 * PERIOD
    assert np.abs(np.diff(show.rows[:, 3:], 2, axis=0)).max() < 30.0 * PERIOD**2


def test_clauses_announced_together_cause_same_motion_as_one_sound() -> None:
    whole, halves, sound = Show(), Show(), noise(3.2)
    whole.play(sound)
    half = sound.size // 2
    halves.wobbler.foresee(sound[:half])
    halves.wobbler.foresee(sound[half:])
    halves.play(sound, foreseen=True)
    lift, nod = 2, 4
    for row in (lift, nod):
        assert halves.rows[:, row] == pytest.approx(whole.rows[:, row], abs=1e-3)


def test_amplitude_scales_speech_motion() -> None:
    whole, half, none = Show(1.0), Show(0.5), Show(0.0)
    for show in (whole, half, none):
        show.play(noise(1.0))
    assert half.rows == pytest.approx(0.5 * whole.rows)
    assert not none.offsets


@pytest.mark.slow
def test_offset_sender_sends_offsets_only_during_motion() -> None:
    sent: list[HeadOffset] = []
    wobbler = SpeechMotionPlayer(1.0, LEAD, lambda: 0.0)
    sender = SpeechMotionSender(wobbler, sent.append)
    try:
        wobbler.start(uuid.uuid4(), RATE)
        assert not sent
        wobbler.foresee(noise(0.4))
        wobbler.write(noise(0.04))
        wait_until(lambda: not wobbler.wait(0.0), "rest")
        assert any(offset.rotation.any() for offset in sent)
        wait_until(lambda: not sent[-1].rotation.any(), "the last offset")
    finally:
        sender.close()
    assert "wobble" not in {thread.name for thread in threading.enumerate()}
