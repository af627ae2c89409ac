"""Noises without speech, for tests of voice detection."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from evaluation.speech.package_cache import wheels
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples, from_float
from reachy_agent_ros.audio.sound_file import read_sound

AMBIENCE = "livekit-agents==1.8.9"
"""Recordings of rooms and streets (see the wheel's NOTICE), without its crowd, which contains speech."""

RECORDED = {
    "office": "office-ambience",
    "city": "city-ambience",
    "forest": "forest-ambience",
    "typing, recorded": "keyboard-typing",
    "music": "hold_music",
}

Sound = NDArray[np.float64]


def noises(seconds: float, seed: int) -> Iterator[tuple[str, Samples]]:
    """Yields every kind of noise with its name. The noises are synthetic and recorded, and have equal length."""
    rng = np.random.default_rng(seed)
    for name, make in MADE.items():
        sound = make(int(seconds * SAMPLE_RATE), rng)
        yield name, from_float(sound * rng.uniform(0.05, 0.3) / max(1e-9, float(np.abs(sound).max())))
    for name, recording in recorded_noises():
        yield name, np.resize(np.roll(recording, -int(rng.integers(recording.size))), int(seconds * SAMPLE_RATE))


def recorded_noises() -> Iterator[tuple[str, Samples]]:
    """Yields complete recordings of the noise in various places."""
    folder = wheels(AMBIENCE) / "livekit/agents/resources"
    for name, file in RECORDED.items():
        yield name, read_sound(folder / f"{file}.ogg")


def room_noise(seconds: float, rng: np.random.Generator) -> Samples:
    """Returns pink noise and motor hum of equal level."""
    size = int(seconds * SAMPLE_RATE)
    hiss, hum = pink(size, rng), motor_hum(size, rng)
    return from_float(0.1 * (hiss / hiss.std() + hum / hum.std()))


def pink(size: int, rng: np.random.Generator) -> Sound:
    """Returns noise with equal power in every octave above 20 Hz."""
    spectrum = np.fft.rfft(rng.standard_normal(size))
    spectrum /= np.sqrt(np.maximum(np.fft.rfftfreq(size, 1.0 / SAMPLE_RATE), 20.0))
    return np.asarray(np.fft.irfft(spectrum, size))


def motor_hum(size: int, rng: np.random.Generator) -> Sound:
    """Returns the hum of a motor: 118 Hz and its harmonics, with varying amplitude."""
    return _harmonics(np.full(size, 118.0)) * (1.0 + 0.5 * np.sin(2.0 * np.pi * 1.5 * _time(size) + rng.uniform(0, 6)))


def servo_sweeps(size: int, rng: np.random.Generator) -> Sound:
    """Returns the sound of servos that start, accelerate, slow down and rest, over quiet room noise."""
    turns = np.convolve(rng.standard_normal(size // 800 + 8), np.ones(8) / 8.0, mode="same")
    speed = np.maximum(0.0, np.interp(np.arange(size) / 800.0, np.arange(turns.size), turns))
    return np.asarray(_harmonics(120.0 + 900.0 * speed) * np.sqrt(speed) + 0.02 * rng.standard_normal(size))


def fan(size: int, rng: np.random.Generator) -> Sound:
    """Returns the broadband noise of a fan, modulated by its blades."""
    blades = 1.0 + 0.3 * np.sin(2.0 * np.pi * rng.uniform(18.0, 40.0) * _time(size))
    return pink(size, rng) * blades


def clicks(size: int, rng: np.random.Generator) -> Sound:
    """Returns the sound of typing: short decaying bursts, about six per second."""
    strokes = np.where(rng.random(size) < 6.0 / SAMPLE_RATE, rng.uniform(0.3, 1.0, size), 0.0)
    burst = rng.standard_normal(400) * np.exp(-np.arange(400) / 60.0)
    return np.convolve(strokes, burst)[:size] + 0.002 * rng.standard_normal(size)


def silence(size: int, rng: np.random.Generator) -> Sound:
    """Returns digital silence."""
    return np.zeros(size)


MADE: dict[str, Callable[[int, np.random.Generator], Sound]] = {
    "servo": servo_sweeps,
    "motor hum": motor_hum,
    "fan": fan,
    "typing": clicks,
    "pink": pink,
    "silence": silence,
}


def _harmonics(frequency: Sound) -> Sound:
    phase = 2.0 * np.pi * np.cumsum(frequency) / SAMPLE_RATE
    return np.asarray(sum(np.sin(n * phase) / n for n in range(1, 8)))


def _time(size: int) -> Sound:
    return np.arange(size) / SAMPLE_RATE
