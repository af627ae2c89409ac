from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.toolsmith.registry.usage import MOST_MESSAGES, RECENT_RUNS, TOO_MANY_FAILURES, Usage

RUNS = st.lists(st.tuples(st.none() | st.sampled_from("abcdefgh"), st.floats(0.0, 10.0)))


def used(runs: list[tuple[str | None, float]]) -> Usage:
    usage = Usage()
    for moment, (message, elapsed) in enumerate(runs):
        usage = usage.with_run(message, elapsed, float(moment))
    return usage


@given(RUNS)
def test_it_counts(runs: list[tuple[str | None, float]]) -> None:
    usage = used(runs)
    failures = [message for message, _ in runs if message is not None]
    assert (usage.runs, usage.successes) == (len(runs), len(runs) - len(failures))
    assert 0.0 <= usage.success_rate <= 1.0
    last = [message is not None for message, _ in runs[-RECENT_RUNS:]]
    assert usage.keeps_failing() == (sum(last) >= TOO_MANY_FAILURES)
    assert len(usage.failures) <= MOST_MESSAGES
    if failures:
        assert usage.failures[-1].message == failures[-1]


@given(RUNS, RUNS)
def test_two_versions_are_counted_together(
    runs: list[tuple[str | None, float]], more: list[tuple[str | None, float]]
) -> None:
    both = used(runs) + used(more)
    assert both.runs == len(runs) + len(more)
    assert len(both.failures) <= MOST_MESSAGES
    assert [failure.last for failure in both.failures] == sorted(failure.last for failure in both.failures)


def test_the_commonest_failure_is_named() -> None:
    usage = used([("once", 1.0), ("often", 1.0), ("often", 1.0), (None, 1.0), ("late", 1.0)])
    assert usage.commonest_failure == "often"
    assert [(failure.message, failure.count) for failure in usage.failures] == [("once", 1), ("often", 2), ("late", 1)]
    assert Usage().commonest_failure == ""
    assert (Usage().mean_time, Usage().success_rate) == (0.0, 1.0)
