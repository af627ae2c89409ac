from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.audio_stream import JITTER, Chunk, Inlet, SampleClock

SIZE = 512
START = 1000.0


def chunk(stream: str, sequence: int = 0, rate: int = 48_000, channels: int = 2, last: bool = False) -> Chunk:
    return Chunk(np.zeros(960, np.int16), rate, channels, stream, sequence, last)


def test_converts_stream_to_16_khz_mono() -> None:
    inlet = Inlet()
    sizes = [inlet.accept(chunk("a", number, last=number == 9)).size for number in range(10)]
    assert sum(sizes) == 1_600


def test_rejects_second_audio_stream_until_first_ends() -> None:
    inlet = Inlet()
    inlet.accept(chunk("a"))
    with pytest.raises(AgentError, match="refused until") as refusal:
        inlet.accept(chunk("b"))
    assert refusal.value.code is ErrorCode.AUDIO_UNAVAILABLE
    inlet.accept(chunk("a", 1, last=True))
    inlet.accept(chunk("b"))
    assert inlet.stream == "b"


def test_counts_lost_audio_chunks() -> None:
    inlet = Inlet()
    for sequence in (5, 6, 9):
        inlet.accept(chunk("a", sequence))
    assert inlet.lost == 2


@pytest.mark.parametrize(("rate", "channels"), [(0, 1), (48_000, 0), (10**6, 1)])
def test_rejects_invalid_audio_format(rate: int, channels: int) -> None:
    with pytest.raises(AgentError) as refusal:
        Inlet().accept(chunk("a", rate=rate, channels=channels))
    assert refusal.value.code is ErrorCode.AUDIO_UNSUPPORTED


def test_rejects_too_long_audio_chunk_and_continues_stream() -> None:
    inlet = Inlet()
    inlet.accept(chunk("a"))
    with pytest.raises(AgentError, match="exceeds 2 s") as refusal:
        inlet.accept(Chunk(np.zeros(5_000_000, np.int16), 48_000, 2, "a", 1))
    assert refusal.value.code is ErrorCode.AUDIO_UNSUPPORTED
    assert inlet.accept(chunk("a", 1)).size > 0


def test_rejects_change_of_audio_format_during_stream() -> None:
    inlet = Inlet()
    inlet.accept(chunk("a"))
    with pytest.raises(AgentError, match="changes its format"):
        inlet.accept(chunk("a", 1, rate=16_000))


@given(st.lists(st.floats(-0.4 * JITTER, 0.4 * JITTER), min_size=1, max_size=50))
def test_chunks_with_jitter_in_timestamps_are_contiguous(jitter: list[float]) -> None:
    clock = SampleClock()
    placed = [clock.place(START + number * SIZE / SAMPLE_RATE + off, SIZE) for number, off in enumerate(jitter)]
    assert placed == [placed[0] + number * SIZE for number in range(len(jitter))]


def test_timestamp_is_used_after_gap() -> None:
    clock = SampleClock()
    clock.place(START, SIZE)
    assert clock.place(START + 5.0, SIZE) == round((START + 5.0) * SAMPLE_RATE)
