from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.chunk import Chunk
from reachy_agent_ros.stt.own_sound import OwnSound

START = 1_700_000_000.0
FIRST = round(START * SAMPLE_RATE)


def ramp(first: int, size: int) -> Chunk:
    return Chunk(np.arange(first, first + size, dtype=np.int16), SAMPLE_RATE, stream="robot")


def test_what_was_given_out_is_read_where_it_sounded() -> None:
    sound = OwnSound()
    sound.write(ramp(1, 640), START)
    sound.write(ramp(641, 640), START + 0.04)
    assert sound.read(FIRST + 600, 100).tolist() == list(range(601, 701))


def test_before_after_and_between_there_is_silence() -> None:
    sound = OwnSound()
    assert not sound.read(FIRST, 100).any()
    sound.write(ramp(1, 640), START)
    sound.write(ramp(1, 640), START + 1.0)
    assert not sound.read(FIRST - 100, 100).any()
    assert not sound.read(FIRST + 640, SAMPLE_RATE - 640).any()
    assert not sound.read(FIRST + SAMPLE_RATE + 640, 100).any()


def test_a_clock_that_was_set_back_leaves_nothing_of_before() -> None:
    sound = OwnSound()
    sound.write(ramp(1, 640), START)
    sound.write(ramp(1, 640), START - 3600.0)
    assert not sound.read(FIRST, 640).any()
    assert sound.read(FIRST - 3600 * SAMPLE_RATE, 3).tolist() == [1, 2, 3]


def test_a_voice_of_another_rate_is_converted() -> None:
    sound = OwnSound()
    tone = np.round(8000.0 * np.sin(2.0 * np.pi * 440.0 * np.arange(22_050) / 22_050)).astype(np.int16)
    sound.write(Chunk(tone, 22_050, stream="robot"), START)
    expected = 8000.0 * np.sin(2.0 * np.pi * 440.0 * np.arange(8000) / SAMPLE_RATE)
    assert np.abs(sound.read(FIRST, 8000)[100:] - expected[100:]).max() < 100.0


def test_a_format_that_cannot_be_converted_is_refused() -> None:
    with pytest.raises(AgentError) as refused:
        OwnSound().write(Chunk(np.zeros(10, np.int16), 10), START)
    assert refused.value.code is ErrorCode.AUDIO_UNSUPPORTED


@given(st.lists(st.integers(1, 2000), min_size=1, max_size=60))
def test_however_it_is_cut_the_last_seconds_are_whole(sizes: list[int]) -> None:
    sound = OwnSound()
    written = 0
    for size in sizes:
        sound.write(ramp(written, size), START + written / SAMPLE_RATE)
        written += size
    kept = min(written, 2 * SAMPLE_RATE)
    expected = np.arange(written - kept, written).astype(np.int16)
    assert np.array_equal(sound.read(FIRST + written - kept, kept), expected)
