import time

import pytest

from reachy_agent_ros.core.steady_clock import steady_unix_clock


def test_it_is_right() -> None:
    before = time.time_ns()
    assert before <= steady_unix_clock()() + 10**6
    assert steady_unix_clock()() - before < 10**9


@pytest.mark.parametrize("hours", [-24, -1, 1])
def test_it_goes_on_evenly_when_somebody_sets_the_machines(hours: int, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = steady_unix_clock()
    before, true = clock(), time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: true() + hours * 3600 * 10**9)
    assert 0 <= clock() - before < 10**9
