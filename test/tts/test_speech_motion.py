from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from reachy_agent_ros.audio.samples import Samples, from_float
from reachy_agent_ros.tts.speech_motion import SpeechMotion
from support.speech_models import voice

STEP = 0.005


@cache
def sentence() -> Samples:
    return voice().synthesise("Hello! I can see a red cup on the table, and I would like to tell you all about it.")


def movement(samples: Samples, rate: int) -> NDArray[np.float64]:
    """Offsets [n, 6], m and rad, every `STEP` seconds from half a second before the sound to half a second after."""
    wobble = SpeechMotion(samples, rate)
    offsets = [wobble.at(time) for time in np.arange(-0.5, wobble.after + 0.5, STEP)]
    return np.array([[*offset.translation, *offset.rotation] for offset in offsets])


def tone(levels: list[float], rate: int = 16_000) -> Samples:
    """A tone of 200 Hz, a tenth of a second at each amplitude."""
    amplitude = np.repeat(levels, rate // 10)
    return from_float(amplitude * np.sin(2.0 * math.pi * 200.0 * np.arange(amplitude.size) / rate))


def test_silence_moves_nothing() -> None:
    assert not movement(np.zeros(16_000, np.int16), 16_000).any()
    assert not movement(np.zeros(0, np.int16), 16_000).any()


@pytest.mark.slow
def test_speech_moves_the_head_by_a_few_degrees_and_millimetres() -> None:
    largest = np.abs(movement(sentence(), voice().sample_rate)).max(axis=0)
    assert 0.002 < largest[2] < 0.005
    assert math.radians(1.5) < largest[3] < math.radians(5.0)
    assert math.radians(3.0) < largest[4] < math.radians(6.0)
    assert math.radians(2.0) < largest[5] < math.radians(6.0)


def test_loud_speech_moves_it_further_than_quiet_speech() -> None:
    loud, quiet, whispered = (
        np.sqrt(np.mean(movement((sentence() * gain).astype(np.int16), voice().sample_rate) ** 2, axis=0))
        for gain in (1.0, 0.25, 0.05)
    )
    moving = loud > 0.0
    assert (loud[moving] > 1.3 * quiet[moving]).all()
    assert (quiet[moving] > 1.3 * whispered[moving]).all()


def test_the_nod_follows_the_loudness_of_what_is_heard_in_that_moment() -> None:
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


def test_two_nods_a_second_are_made_for_two_beats_a_second() -> None:
    beats = tone([0.0, 0.2, 0.2, 0.0, 0.0] * 8)
    nod = movement(beats, 16_000)[:, 4]
    spectrum = np.abs(np.fft.rfft(nod - nod.mean(), 1 << 14))
    frequencies = np.fft.rfftfreq(1 << 14, STEP)
    assert abs(frequencies[spectrum.argmax()] - 2.0) < 0.15


def test_nothing_moves_faster_than_a_neck_can_follow() -> None:
    rows = movement(sentence(), voice().sample_rate)
    spectrum = np.abs(np.fft.rfft(rows, axis=0)) ** 2
    fast = np.fft.rfftfreq(len(rows), STEP) > 8.0
    assert spectrum[fast].sum() < 0.01 * spectrum.sum()


def test_the_same_sound_makes_the_same_movement_and_the_next_piece_continues_its_sway() -> None:
    rate = voice().sample_rate
    first = SpeechMotion(sentence(), rate)
    assert first.at(1.0).rotation.tolist() == SpeechMotion(sentence(), rate).at(1.0).rotation.tolist()
    assert first.phase > 1.0
    assert SpeechMotion(sentence(), rate, first.phase).at(1.0).rotation[2] != first.at(1.0).rotation[2]


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(arrays(np.int16, st.integers(0, 8_000)), st.sampled_from([8_000, 16_000, 22_050]), st.floats(0.0, 100.0))
def test_whatever_the_sound_the_movement_is_small_begins_and_ends_at_nothing_and_has_no_jump(
    samples: Samples, rate: int, phase: float
) -> None:
    wobble = SpeechMotion(samples, rate, phase)
    times = np.arange(-0.6, wobble.after + 0.1, STEP)
    rows = np.array([[*wobble.at(time).translation, *wobble.at(time).rotation] for time in times])
    assert np.abs(rows[:, :3]).max() <= 0.005
    assert np.abs(rows[:, 3:]).max() <= math.radians(8.0)
    assert not rows[0].any()
    assert not rows[times >= wobble.after].any()
    assert np.abs(np.diff(rows[:, :3], axis=0)).max() <= 0.1 * STEP
    assert np.abs(np.diff(rows[:, 3:], axis=0)).max() <= 2.0 * STEP
