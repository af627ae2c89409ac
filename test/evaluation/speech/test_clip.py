from __future__ import annotations

import numpy as np
import pytest

from evaluation.speech.clip import Clip
from reachy_agent_ros.audio.samples import SAMPLE_RATE, from_float


def tone(seconds: float) -> Clip:
    """Returns a tone instead of speech, because only the loudness matters."""
    time = np.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    return Clip("tone", "", from_float(0.2 * np.sin(2.0 * np.pi * 300.0 * time)))


def test_speech_end_is_end_of_last_sound() -> None:
    assert tone(0.5).padded(0.3, 0.7).speech_end == pytest.approx(0.8, abs=0.011)


@pytest.mark.parametrize("snr", [0.0, 10.0, 20.0])
def test_noise_has_requested_ratio_to_speech_despite_silence(snr: float) -> None:
    clip = tone(0.5).padded(0.5, 0.5)
    noise = np.random.default_rng(1).integers(-900, 900, clip.samples.size).astype(np.int16)
    noisy = clip.with_noise(noise, snr).samples.astype(np.float64)
    third = noisy.size // 3
    heard = np.mean(noisy[third : 2 * third] ** 2) / np.mean(noisy[:third] ** 2) - 1.0
    assert 10.0 * np.log10(heard) == pytest.approx(snr, abs=0.6)


def test_loud_speech_is_attenuated_to_avoid_clipping() -> None:
    loud = Clip("tone", "", np.full(SAMPLE_RATE, 32_000, np.int16))
    noise = np.random.default_rng(1).integers(-900, 900, SAMPLE_RATE).astype(np.int16)
    samples = loud.with_noise(noise, 0.0).samples.astype(np.int32)
    assert np.mean(np.abs(samples) >= 32_767) < 0.001
