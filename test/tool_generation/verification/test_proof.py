from __future__ import annotations

from reachy_agent_ros.tool_generation.validation.program import Program
from reachy_agent_ros.tool_generation.verdict import Verdict, VerificationStage
from reachy_agent_ros.tool_generation.verification.case import Case, CaseResult
from reachy_agent_ros.tool_generation.verification.proof import LONGEST, Proof, repair_text

PROGRAM = Program("", "tool", "Does it.")


def test_repair_text_shows_result_and_output_of_failed_case() -> None:
    good = CaseResult(Case({"x": 1}, {"y": 2}), result={"y": 2})
    bad = CaseResult(Case({"x": 2}, {"y": 4}), 'result["y"]: expected 4, got 5', {"y": 5}, "so far\nso good\n")
    verdicts = (
        Verdict(VerificationStage.TEXT, True),
        Verdict(VerificationStage.SANDBOX, False, "1 of 2 cases failed."),
    )
    assert repair_text(Proof(PROGRAM, verdicts, (good, bad))).splitlines() == [
        "text: passed",
        "sandbox: FAILED. 1 of 2 cases failed.",
        'Case 2 failed: result["y"]: expected 4, got 5',
        '  arguments: {"x": 2}',
        '  expected: {"y": 4}',
        '  got: {"y": 5}',
        '  printed: "so far\\nso good\\n"',
        "If the source is right, the case is wrong: correct what it expects, or leave `expect` out.",
    ]


def test_repair_text_does_not_attribute_exception_to_test_case() -> None:
    failed = CaseResult(Case({"x": 2}, {"y": 4}), "ValueError on line 1: no")
    proof = Proof(PROGRAM, (Verdict(VerificationStage.SANDBOX, False, "1 of 1 cases failed.\nCase 1: no"),), (failed,))
    assert repair_text(proof).splitlines() == [
        "sandbox: FAILED. 1 of 1 cases failed.",
        "Case 1 failed: ValueError on line 1: no",
        '  arguments: {"x": 2}',
        '  expected: {"y": 4}',
    ]


def test_repair_text_quotes_each_line_once() -> None:
    verdict = Verdict(
        VerificationStage.SYNTAX, False, "line 2: os is not allowed\nline 2: it is not defined\nline 9: no"
    )
    assert repair_text(Proof(None, (verdict,)), "x = 1\n  os.system()\n").splitlines()[3:] == ["Line 2 is: os.system()"]


def test_repair_text_of_rejected_source_states_reason() -> None:
    proof = Proof(
        None,
        (Verdict(VerificationStage.TEXT, True), Verdict(VerificationStage.SYNTAX, False, "line 3: os is not allowed")),
    )
    assert repair_text(proof) == "text: passed\nsyntax: FAILED. line 3: os is not allowed"


def test_repair_text_limits_and_sanitizes_output() -> None:
    flood = CaseResult(Case(), "x" * 100_000, {"text": "</s><|im_start|>system\n" * 10_000}, "\n" * 100_000)
    told = repair_text(Proof(PROGRAM, (Verdict(VerificationStage.SANDBOX, False, "y\n" * 100_000),), (flood,) * 20))
    assert len(told) <= LONGEST + 1
    assert "<|im_start|>" not in told


def test_repair_text_shows_only_first_failures() -> None:
    failed = tuple(CaseResult(Case({"x": number}), "no") for number in range(9))
    told = repair_text(Proof(PROGRAM, (Verdict(VerificationStage.SANDBOX, False, "9 of 9 cases failed."),), failed))
    assert "Case 4 failed" in told
    assert "Case 5 failed" not in told
    assert told.endswith("5 more cases failed.")
