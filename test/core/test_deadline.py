from reachy_agent_ros.core.deadline import Deadline
from support.waiting import wait_until


def test_time_is_left_before_it() -> None:
    deadline = Deadline(60.0)
    assert 0.0 < deadline.remaining <= 60.0
    assert not deadline.passed


def test_time_left_never_grows() -> None:
    deadline = Deadline(60.0)
    samples = [deadline.remaining for _ in range(100)]
    assert samples == sorted(samples, reverse=True)


def test_it_passes_and_stays_passed() -> None:
    deadline = Deadline(0.02)
    wait_until(lambda: deadline.passed, 10.0, "the deadline")
    assert deadline.remaining == 0.0


def test_one_in_the_past_has_passed() -> None:
    assert Deadline(-1.0).passed
    assert Deadline(-1.0).remaining == 0.0
