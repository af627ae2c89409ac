from __future__ import annotations

from reachy_agent_ros.tool_generation.proving.case import Case, CaseResult
from reachy_agent_ros.tool_generation.proving.proof import Proof
from reachy_agent_ros.tool_generation.registry.version import CaseRecord, Record, proven_record
from support.tool_generation.registered_tools import PROVEN, program


def test_needs_review_by_default() -> None:
    assert Record("person").needs_review


def test_keeps_200_characters_of_author() -> None:
    assert Record("a" * 200).sanitised().author == "a" * 200
    assert Record("a" * 201).sanitised().author.count("a") == 200


def test_a_proof_is_kept_with_every_case_and_what_came_of_it() -> None:
    results = (
        CaseResult(Case({"number": 2}, {"product": 4}), result={"product": 4}, elapsed=0.25),
        CaseResult(Case({"number": "x"}, raises="TypeError")),
        CaseResult(Case({"number": 1.0}, invented=True), "It raised KeyError."),
    )
    record = proven_record(Proof(program(), PROVEN, results), "model tiny", "Double it.", "It doubles.", False)
    assert (record.author, record.request, record.explanation) == ("model tiny", "Double it.", "It doubles.")
    assert record.verdicts == PROVEN
    assert not record.needs_review
    assert record.cases == (
        CaseRecord('{"number": 2}', '{"product": 4}', result='{"product": 4}', duration=0.25),
        CaseRecord('{"number": "x"}', raises="TypeError"),
        CaseRecord('{"number": 1.0}', ok=False, error="It raised KeyError.", invented=True),
    )


def test_proven_record_needs_review_by_default() -> None:
    assert proven_record(Proof(program(), PROVEN, ()), "person").needs_review
