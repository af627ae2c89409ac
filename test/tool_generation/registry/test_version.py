from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.tool_generation.registry.version import (
    MOST_MESSAGES,
    RECENT_RUNS,
    TOO_MANY_FAILURES,
    CaseRecord,
    Usage,
    VersionRecord,
)
from reachy_agent_ros.tool_generation.verification.case import Case, CaseResult

RUNS = st.lists(st.tuples(st.none() | st.sampled_from("abcdefgh"), st.floats(0.0, 10.0)))


def test_tool_version_requires_review_by_default() -> None:
    assert VersionRecord("person").needs_review


def test_author_of_tool_version_is_truncated_to_200_characters() -> None:
    assert VersionRecord("a" * 200).sanitised().author == "a" * 200
    assert VersionRecord("a" * 201).sanitised().author.count("a") == 200


def test_test_case_records_contain_results() -> None:
    results = (
        CaseResult(Case({"number": 2}, {"product": 4}), result={"product": 4}, elapsed=0.25),
        CaseResult(Case({"number": "x"}, raises="TypeError")),
        CaseResult(Case({"number": 1.0}, invented=True), "It raised KeyError."),
    )
    assert tuple(map(CaseRecord.of, results)) == (
        CaseRecord('{"number": 2}', '{"product": 4}', result='{"product": 4}', duration=0.25),
        CaseRecord('{"number": "x"}', raises="TypeError"),
        CaseRecord('{"number": 1.0}', ok=False, error="It raised KeyError.", invented=True),
    )


def used(runs: list[tuple[str | None, float]]) -> Usage:
    usage = Usage()
    for moment, (message, elapsed) in enumerate(runs):
        usage = usage.with_run(message, elapsed, float(moment))
    return usage


@given(RUNS)
def test_tool_usage_counts_runs_and_recent_failures(runs: list[tuple[str | None, float]]) -> None:
    usage = used(runs)
    failures = [message for message, _ in runs if message is not None]
    assert (usage.runs, usage.successes) == (len(runs), len(runs) - len(failures))
    assert usage.total_time == sum(elapsed for _, elapsed in runs)
    last = [message is not None for message, _ in runs[-RECENT_RUNS:]]
    assert usage.keeps_failing() == (sum(last) >= TOO_MANY_FAILURES)
    assert len(usage.failures) <= MOST_MESSAGES
    if failures:
        assert usage.failures[-1].message == failures[-1]


@pytest.mark.slow
@given(RUNS, RUNS)
def test_usage_of_two_tool_versions_can_be_added(
    runs: list[tuple[str | None, float]], more: list[tuple[str | None, float]]
) -> None:
    both = used(runs) + used(more)
    assert both.runs == len(runs) + len(more)
    assert len(both.failures) <= MOST_MESSAGES
    assert [failure.last for failure in both.failures] == sorted(failure.last for failure in both.failures)


def test_tool_usage_returns_most_frequent_failure() -> None:
    usage = used([("once", 1.0), ("often", 1.0), ("often", 1.0), (None, 1.0), ("late", 1.0)])
    assert usage.commonest_failure == "often"
    assert [(failure.message, failure.count) for failure in usage.failures] == [("once", 1), ("often", 2), ("late", 1)]
    assert Usage().commonest_failure == ""


def test_tool_usage_keeps_latest_five_error_messages() -> None:
    assert [failure.message for failure in used([(kind, 1.0) for kind in "abcdef"]).failures] == list("bcdef")
    both = used([(kind, 1.0) for kind in "abc"]) + used([(kind, 1.0) for kind in "defg"])
    assert len(both.failures) == 5


def test_counts_of_same_failure_are_added_across_tool_versions() -> None:
    both = used([("a", 1.0), ("b", 2.0), ("a", 3.0)]) + used([("c", 4.0), ("a", 5.0), (None, 6.0)])
    assert (both.runs, both.successes, both.total_time, both.recent) == (6, 1, 21.0, ())
    counted = {failure.message: (failure.count, failure.last) for failure in both.failures}
    assert counted == {"a": (3, 2.0), "b": (1, 1.0), "c": (1, 0.0)}


def test_failures_before_reset_do_not_count() -> None:
    usage = used([("a", 1.0)] * 5)
    assert usage.keeps_failing()
    assert not usage.keeps_failing(forgiven=1)
    assert not usage.keeps_failing(forgiven=5)
    assert usage.keeps_failing(forgiven=6), "usage was reset, so there are no failures to subtract"
    assert used([("a", 1.0)] * 9).keeps_failing(forgiven=4)
    assert not used([(None, 1.0)] * 3).keeps_failing()
