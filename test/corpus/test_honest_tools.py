"""Tests that honest tools are accepted and that all of their cases pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from corpus.honest_run import HonestGround, HonestOutcome
from corpus.honest_tools import HonestTool, honest_tools
from corpus.workers import Workers
from reachy_agent_ros.tool_generation.verification.case import read_cases
from support.cases import mostly_nightly

# On a busy machine, a test also waits for tools that were started earlier.
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def workers(selected_tools: Sequence[HonestTool]) -> Iterator[Workers[HonestTool, HonestOutcome]]:
    workers = Workers(HonestGround, selected_tools)
    yield workers
    assert workers.close() == []


def _id(tool: HonestTool) -> str:
    return tool.name


@pytest.mark.slow
@pytest.mark.parametrize("tool", mostly_nightly(honest_tools(), one_in=5), ids=_id)
def test_honest_tool_is_accepted_and_passes_its_cases(
    workers: Workers[HonestTool, HonestOutcome], tool: HonestTool
) -> None:
    outcome = workers.outcome(tool)
    assert (outcome.refused_by, outcome.reason) == (None, "")
    assert outcome.cases == len(read_cases(tool.cases))


@pytest.mark.parametrize("tool", honest_tools(), ids=_id)
def test_honest_tool_has_case_with_expected_result(tool: HonestTool) -> None:
    assert any(case.expect is not None for case in read_cases(tool.cases))
