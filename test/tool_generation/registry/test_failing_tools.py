from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.registry.registry import Registry
from support.tool_generation.registered_tools import program, record

FAILURE = AgentError(ErrorCode.TOOL_FAILED, "ValueError: no number")


def test_tool_usage_counts_runs_and_failures(registry: Registry) -> None:
    registry.register(program(), record())
    registry.register(program(factor=3), record())
    registry.note_run("double_it", 1, None, 1.0)
    registry.note_run("double_it", 2, FAILURE, 2.0)
    registry.note_run("double_it", 2, None, 3.0)
    first = registry.usage("double_it", 1)
    assert (first.runs, first.successes) == (1, 1)
    both = registry.usage("double_it")
    assert (both.runs, both.successes, both.total_time) == (3, 2, 6.0)
    assert [(failure.message, failure.count) for failure in both.failures] == [(FAILURE.message, 1)]


@pytest.mark.parametrize("code", [ErrorCode.CANCELED, ErrorCode.SANDBOX_UNAVAILABLE, ErrorCode.SHUTTING_DOWN])
def test_errors_not_caused_by_tool_do_not_count_as_failures(registry: Registry, code: ErrorCode) -> None:
    registry.register(program(), record())
    for _ in range(20):
        registry.note_run("double_it", 1, AgentError(code, "not its fault"), 1.0)
    assert registry.usage("double_it").runs == 0
    assert registry.get("double_it").disabled is None


def fail(registry: Registry, times: int, number: int = 1) -> list[str]:
    return [registry.note_run("double_it", number, FAILURE, 0.1) for _ in range(times)]


def test_failing_tool_is_disabled_and_reported(registry: Registry, told: list[tuple[str, str]]) -> None:
    registry.register(program(), record())
    fail(registry, 4)
    for _ in range(4):
        registry.note_run("double_it", 1, None, 0.1)
    assert fail(registry, 4) == [""] * 4
    assert registry.get("double_it").disabled is None
    answers = fail(registry, 1)
    disabled = registry.get("double_it").disabled
    assert disabled is not None
    assert disabled.failing
    assert FAILURE.message in disabled.reason
    ((name, sentence),) = told
    assert name == "double_it"
    assert "5 of its last 8 runs" in sentence
    assert answers == [sentence]
    fail(registry, 3)  # results of runs that were already in progress
    assert len(told) == 1


def test_enabling_tool_resets_failure_count(registry: Registry, told: list[tuple[str, str]]) -> None:
    registry.register(program(), record())
    fail(registry, 5)
    registry.set_enabled("double_it", True)
    fail(registry, 4)
    assert registry.get("double_it").disabled is None
    fail(registry, 1)
    assert registry.get("double_it").disabled is not None
    assert len(told) == 2
    assert registry.usage("double_it").runs == 10


def test_rollback_enables_failing_tool(registry: Registry) -> None:
    registry.register(program(), record())
    registry.register(program(factor=3), record())
    fail(registry, 5, number=2)
    registry.roll_back("double_it")
    assert registry.get("double_it").disabled is None
    fail(registry, 5, number=2)  # result of a run of the version that is no longer active
    assert registry.get("double_it").disabled is None


def test_run_of_deleted_tool_version_is_not_counted_in_usage(registry: Registry) -> None:
    registry.register(program(), record())
    registry.delete("double_it")
    registry.note_run("double_it", 1, None, 1.0)
    registry.register(program(), record())
    registry.note_run("double_it", 1, FAILURE, 1.0)
    assert registry.usage("double_it").runs == 0


def test_damaged_usage_file_does_not_disable_tool(registry: Registry, tmp_path: Path) -> None:
    registry.register(program(), record())
    registry.note_run("double_it", 1, None, 1.0)
    (tmp_path / "tools" / "usage" / "double_it.json").write_text('{"1": {"runs": ')
    assert registry.source_to_run("double_it", 1)
    registry.note_run("double_it", 1, None, 1.0)
    assert registry.usage("double_it").runs == 1


def test_stored_error_message_of_tool_is_truncated(registry: Registry) -> None:
    registry.register(program(), record())
    registry.note_run("double_it", 1, AgentError(ErrorCode.TOOL_FAILED, "x" * 400), 1.0)
    (failure,) = registry.usage("double_it").failures
    assert failure.message.count("x") == 300


def test_usage_of_unused_or_missing_tool_version_is_empty(registry: Registry) -> None:
    registry.register(program(), record())
    assert registry.usage("double_it", 1).runs == 0
    with pytest.raises(AgentError, match="no version 2"):
        registry.usage("double_it", 2)


def test_enabling_unused_tool_does_not_raise_failure_limit(registry: Registry) -> None:
    registry.register(program(), record())
    registry.set_enabled("double_it", False)
    registry.set_enabled("double_it", True)
    fail(registry, 5)
    assert registry.get("double_it").disabled is not None
