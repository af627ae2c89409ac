"""Tests that hostile tools have no effect outside of their sandbox, and that the expected stage rejects them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from corpus.hostile_run import HostileGround, HostileOutcome
from corpus.hostile_tools import HostileTool, hostile_tool, hostile_tools
from corpus.workers import Workers
from reachy_agent_ros.tool_generation.verdict import VerificationStage
from support.cases import mostly_nightly

# On a busy machine, a test also waits for tools that were started earlier.
pytestmark = pytest.mark.timeout(600)

_EVAL = hostile_tool("escape_eval")
_ATTACK = 'eval("open(" + repr(CANARY_SECRET) + ").read()")'
HARMLESS = replace(_EVAL, short_name="harmless", text=_EVAL.text.replace(_ATTACK, '"nothing"'))
SUCCESSFUL = replace(_EVAL, short_name="successful", text=_EVAL.text.replace(_ATTACK, "CANARY_FIRED"))


@pytest.fixture(scope="module")
def workers(selected_tools: Sequence[HostileTool]) -> Iterator[Workers[HostileTool, HostileOutcome]]:
    workers = Workers(HostileGround, selected_tools)
    yield workers
    assert workers.close() == []


def _id(tool: HostileTool) -> str:
    return f"{tool.category}/{tool.short_name}"


def _stage(tool: HostileTool, outcome: HostileOutcome) -> VerificationStage | None:
    """Returns the stage that rejected a tool. Ignores timeouts, which can happen on a busy machine."""
    is_late = outcome.is_out_of_time and tool.refused_by in (None, VerificationStage.TRIAL)
    return tool.refused_by if is_late else outcome.refused_by


@pytest.mark.parametrize("tool", mostly_nightly(hostile_tools(), one_in=6), ids=_id)
def test_hostile_tool_has_no_effect_outside_sandbox(
    workers: Workers[HostileTool, HostileOutcome], tool: HostileTool
) -> None:
    outcome = workers.outcome(tool)
    assert outcome.effects == ()
    assert outcome.commands == 0
    assert _stage(tool, outcome) == tool.refused_by, outcome.reason
    assert tool.may_succeed or not outcome.succeeded


@pytest.mark.parametrize("tool", [HARMLESS], ids=_id)
def test_accepts_hostile_tool_whose_attack_was_removed(
    workers: Workers[HostileTool, HostileOutcome], tool: HostileTool
) -> None:
    outcome = workers.outcome(tool)
    assert (outcome.refused_by, outcome.reason, outcome.effects) == (None, "", ())


@pytest.mark.slow
@pytest.mark.parametrize("tool", [SUCCESSFUL], ids=_id)
def test_detects_attack_that_reports_success_in_its_result(
    workers: Workers[HostileTool, HostileOutcome], tool: HostileTool
) -> None:
    assert workers.outcome(tool).effects == ("proof: success leaked", "sandbox: success leaked")
