"""From a proof to what the registry keeps of it."""

from __future__ import annotations

import json

from reachy_agent_ros.tool_generation.proving.case_result import CaseResult
from reachy_agent_ros.tool_generation.proving.proof import Proof
from reachy_agent_ros.tool_generation.registry.record import CaseRecord, Record


def proven_record(
    proof: Proof,
    author: str,
    request: str = "",
    explanation: str = "",
    needs_review: bool = True,
    asked_by: str = "",
) -> Record:
    """What is kept of a proof.

    Args:
        proof: Its verdicts, and how each case went.
        author: "model NAME", "person", "import" or "folder".
        request: What was asked for, in words.
        explanation: What it is for, in the author's words.
        needs_review: Whether a person approves it before it runs.
        asked_by: Token that it was asked for with, empty if none.
    """
    cases = tuple(_case_record(result) for result in proof.cases)
    return Record(author, request, explanation, proof.verdicts, cases, needs_review, asked_by)


def _case_record(result: CaseResult) -> CaseRecord:
    case = result.case
    return CaseRecord(
        arguments=json.dumps(dict(case.arguments)),
        expected="" if case.expect is None else json.dumps(case.expect),
        raises=case.raises or "",
        ok=result.ok,
        result="" if result.result is None else json.dumps(result.result),
        error=result.reason,
        duration=result.elapsed,
        invented=case.invented,
    )
