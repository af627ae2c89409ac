from __future__ import annotations

import numpy as np
import pytest

from reachy_agent_ros.hearing.log_mel import FRAMES_PER_SECOND, log_mel


def tone(frequency: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.sin(2.0 * np.pi * frequency * np.arange(16_000) / 16_000).astype(np.float32)


def test_a_second_has_a_hundred_frames() -> None:
    assert log_mel(tone(440.0), 80).shape == (80, FRAMES_PER_SECOND)


def test_values_span_two_at_most() -> None:
    spectrum = log_mel(tone(440.0), 80)
    assert np.ptp(spectrum) <= 2.0


@pytest.mark.parametrize(("frequency", "band"), [(200.0, 4), (1000.0, 26), (4000.0, 61)])
def test_a_tone_lies_in_its_band_of_slaneys_scale(frequency: float, band: int) -> None:
    loudest = log_mel(tone(frequency), 80)[:, 10:-10].mean(axis=1).argmax()
    assert abs(int(loudest) - band) <= 1
