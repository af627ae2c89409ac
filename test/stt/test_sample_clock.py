from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.stt.sample_clock import JITTER, SampleClock

SIZE = 512
START = 1000.0


@given(st.lists(st.floats(-0.4 * JITTER, 0.4 * JITTER), min_size=1, max_size=50))
def test_pieces_with_jittering_stamps_follow_each_other(jitter: list[float]) -> None:
    clock = SampleClock()
    placed = [clock.place(START + number * SIZE / SAMPLE_RATE + off, SIZE) for number, off in enumerate(jitter)]
    assert placed == [placed[0] + number * SIZE for number in range(len(jitter))]


def test_after_a_gap_the_stamp_counts() -> None:
    clock = SampleClock()
    clock.place(START, SIZE)
    assert clock.place(START + 5.0, SIZE) == round((START + 5.0) * SAMPLE_RATE)
