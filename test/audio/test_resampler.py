from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reachy_agent_ros.audio.resampler import Resampler, resample
from reachy_agent_ros.audio.samples import Samples, from_float
from reachy_agent_ros.core.errors import AgentError, ErrorCode

RATES = [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000]


def tone(frequency: float, rate: int, seconds: float = 0.5) -> Samples:
    return from_float(0.5 * np.sin(2.0 * np.pi * frequency * np.arange(int(rate * seconds)) / rate))


def middle(samples: Samples) -> NDArray[np.float64]:
    return samples[samples.size // 4 : 3 * samples.size // 4].astype(np.float64)


@pytest.mark.parametrize("rate", RATES)
def test_resampled_tone_keeps_pitch_phase_and_level(rate: int) -> None:
    converted = resample(tone(440.0, rate), rate, 16_000)
    expected = tone(440.0, 16_000)
    assert converted.size == expected.size
    assert np.abs(middle(converted) - middle(expected)).max() < 20.0


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_resampler_removes_frequencies_above_new_nyquist_frequency(rate: int) -> None:
    assert np.abs(middle(resample(tone(11_000.0, rate), rate, 16_000))).max() < 10.0


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(rate=st.sampled_from(RATES), cuts=st.lists(st.integers(0, 999), max_size=6), seed=st.integers(0, 99))
def test_resampler_output_is_independent_of_block_size(rate: int, cuts: list[int], seed: int) -> None:
    noise = np.random.default_rng(seed).integers(-20_000, 20_000, 1_000).astype(np.int16)
    stream = Resampler(rate)
    pieces = [stream.process(piece) for piece in np.split(noise, sorted(cuts))]
    assert np.array_equal(np.concatenate([*pieces, stream.flush()]), resample(noise, rate, 16_000))


def test_resampler_averages_channels() -> None:
    stereo = np.array([100, 300, -100, -300], np.int16)
    assert Resampler(16_000, channels=2).process(stereo).tolist() == [200, -200]


@pytest.mark.parametrize(("rate", "channels"), [(0, 1), (16_000, 0), (1_000_000, 1)])
def test_resampler_rejects_invalid_format(rate: int, channels: int) -> None:
    with pytest.raises(AgentError) as refusal:
        Resampler(rate, channels)
    assert refusal.value.code is ErrorCode.AUDIO_UNSUPPORTED


def test_resampler_rejects_incomplete_frame() -> None:
    with pytest.raises(AgentError, match="2 channels"):
        Resampler(16_000, channels=2).process(np.zeros(3, np.int16))
