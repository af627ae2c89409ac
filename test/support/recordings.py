"""Recordings of speech, and synthetic sounds."""

from pathlib import Path

import numpy as np

from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples, from_float
from reachy_agent_ros.audio.sound_file import read_sound
from support import ROOT

FOLDER = ROOT / "config" / "demo"
LOOK_LEFT = FOLDER / "look_left.wav"
STOP = FOLDER / "stop.wav"


def spoken(path: Path, before: float = 0.5, after: float = 1.0) -> Samples:
    """Returns a recording with `before` and `after` seconds of silence."""
    lead, tail = (np.zeros(int(seconds * SAMPLE_RATE), np.int16) for seconds in (before, after))
    return np.concatenate([lead, read_sound(path), tail])


def motor_noise(seconds: float) -> Samples:
    """Returns the noise of a servo motor: a tone over broadband noise, with varying level."""
    time = np.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    whine = sum(np.sin(2.0 * np.pi * 118.0 * harmonic * time) / harmonic for harmonic in range(1, 8))
    hiss = np.random.default_rng(3).standard_normal(time.size)
    return from_float(0.08 * (1.0 + np.sin(2.0 * np.pi * 1.5 * time)) * (whine + 0.5 * hiss))
