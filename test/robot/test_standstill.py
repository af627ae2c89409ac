from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.robot.standstill import BACKLOG, Standstill
from reachy_agent_ros.robot.stream import TIMEOUT


@given(st.lists(st.floats(0.001, TIMEOUT), max_size=20))
def test_a_loop_that_goes_on_has_not_stood_still(periods: list[float]) -> None:
    standstill, now = Standstill(), 100.0
    assert not standstill.lately(now)
    for period in periods:
        standstill.step(now)
        now += 0.99 * period
        assert not standstill.lately(now)


@given(st.floats(2.0 * TIMEOUT, 1e6))
def test_what_piled_up_is_old_whether_it_comes_before_the_first_step_or_after_it(pause: float) -> None:
    standstill = Standstill()
    standstill.step(100.0)
    again = 100.0 + pause
    assert standstill.lately(again)
    standstill.step(again)
    assert standstill.lately(again + 0.5 * BACKLOG)
    standstill.step(again + BACKLOG)
    assert not standstill.lately(again + BACKLOG + 0.01)
