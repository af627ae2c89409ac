import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.robot.finding import TargetError
from reachy_agent_ros.robot.stream import BACKLOG, BURST, RATE_LIMIT, TIMEOUT, Standstill, StreamGuard


def accepted(rate: float, seconds: float) -> int:
    guard, count = StreamGuard(0.0), 0
    for index in range(int(rate * seconds)):
        try:
            guard.take(index / rate)
        except TargetError:
            continue
        count += 1
    return count


def test_stream_accepts_100_targets_per_second() -> None:
    assert accepted(100.0, 2.0) == 200


def test_stream_rejects_targets_above_rate_limit() -> None:
    assert accepted(10_000.0, 2.0) <= 2.0 * RATE_LIMIT + BURST


def test_rejected_targets_keep_stream_alive() -> None:
    guard = StreamGuard(0.0)
    for _ in range(int(BURST)):
        guard.take(1.0)
    with pytest.raises(TargetError) as refused:
        guard.take(1.0)
    assert refused.value.code is ErrorCode.RATE_EXCEEDED
    assert not guard.stale(1.0 + TIMEOUT / 2)


def test_silent_stream_is_stale() -> None:
    guard = StreamGuard(0.0)
    guard.take(1.0)
    assert guard.stale(1.0 + TIMEOUT * 1.01)


def test_stream_is_stale_after_250_ms() -> None:
    guard = StreamGuard(0.0)
    guard.take(1.0)
    assert (guard.stale(1.25), guard.stale(1.26)) == (False, True)


def test_stream_accepts_bursts_of_12_at_120_targets_per_second() -> None:
    guard = StreamGuard(0.0)
    for _ in range(12):
        guard.take(0.0)
    with pytest.raises(TargetError, match="at most 120 per second") as refused:
        guard.take(0.0)
    assert (refused.value.field, refused.value.requested) == ("rate", 120.0)
    guard.take(1.0 / 120.0)
    with pytest.raises(TargetError):
        guard.take(1.0 / 120.0)


def test_stream_without_targets_is_stale_after_250_ms() -> None:
    guard = StreamGuard(5.0)
    assert (guard.stale(5.2), guard.stale(5.3)) == (False, True)


@given(st.lists(st.floats(0.001, TIMEOUT), max_size=20))
def test_loop_with_regular_periods_is_not_stalled(periods: list[float]) -> None:
    standstill, now = Standstill(), 100.0
    assert not standstill.lately(now)
    for period in periods:
        standstill.step(now)
        now += 0.99 * period
        assert not standstill.lately(now)


@given(st.floats(2.0 * TIMEOUT, 1e6))
def test_targets_queued_during_stall_are_stale(pause: float) -> None:
    standstill = Standstill()
    standstill.step(100.0)
    again = 100.0 + pause
    assert standstill.lately(again)
    standstill.step(again)
    assert standstill.lately(again + 0.5 * BACKLOG)
    standstill.step(again + BACKLOG)
    assert not standstill.lately(again + BACKLOG + 0.01)
