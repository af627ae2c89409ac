"""Proof of a tool: verdicts and evidence. A text form helps a language model to repair the tool."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.core.sanitised_text import sanitised
from reachy_agent_ros.tool_generation.validation.program import Program
from reachy_agent_ros.tool_generation.validation.reader import SourceReader
from reachy_agent_ros.tool_generation.validation.text_gate import read_text
from reachy_agent_ros.tool_generation.verdict import SourceRejectedError, Verdict, VerificationStage
from reachy_agent_ros.tool_generation.verification.case import CaseResult

LONGEST = 4000
"""Maximum number of characters of the repair text, because a model's context is short."""

_MOST_CASES = 4
"""Maximum number of failed cases in the text. Further ones usually have the same cause."""

_REASON, _VALUE, _LOG, _QUOTED = 1200, 400, 400, 120
"""Maximum number of characters of a verdict's reason, of a value, of the output and of a line of the source."""

_MOST_LINES = 6
"""Maximum number of quoted lines."""

_LINE = re.compile(r"\bline (\d{1,4})\b")

_EXPECTED = "If the source is right, the case is wrong: correct what it expects, or leave `expect` out."
"""Sentence for models that calculate poorly and break a correct source to fit a wrong case."""


@dataclass(frozen=True)
class Proof:
    """Verdicts of the verification stages, and their evidence.

    Attributes:
        program: Validated program; None if the source was rejected.
        verdicts: Verdicts of the stages in order, up to the first that failed.
        cases: Results of the cases in the sandbox, including failed ones.
        violations: Violations in all dry runs, one message each.
    """

    program: Program | None
    verdicts: tuple[Verdict, ...]
    cases: tuple[CaseResult, ...] = ()
    violations: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every stage passed."""
        return self.program is not None and all(verdict.ok for verdict in self.verdicts)

    @property
    def robot_commands(self) -> int:
        """Number of robot commands in all test cases."""
        return sum(result.commands for result in self.cases)


def read_proof(reader: SourceReader, data: bytes, taken: Collection[str] = ()) -> Proof:
    """Runs the stages "text" and "syntax" on a source, until a stage fails.

    These stages need no sandbox, because the source does not run.

    Args:
        reader: Reader of the source.
        data: Untrusted source.
        taken: Names of other tools.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: the process that reads the source cannot be started.
    """
    verdicts: list[Verdict] = []
    began = time.monotonic()
    try:
        read_text(data)
        verdicts.append(Verdict(VerificationStage.TEXT, True, "It is plain text.", time.monotonic() - began))
        began = time.monotonic()
        program = reader.read(data, taken)
    except SourceRejectedError as rejection:
        failed = Verdict(rejection.stage, False, rejection.message, time.monotonic() - began)
        return Proof(None, (*verdicts, failed))
    verdicts.append(Verdict(VerificationStage.SYNTAX, True, "It has the form of a tool.", time.monotonic() - began))
    return Proof(program, tuple(verdicts))


def repair_text(proof: Proof, source: str = "") -> str:
    """Returns the verdicts, and details of each failed test case.

    The details are the expected value, the result and the output.

    Results and output may contain text from the web or a picture: they are cut, encoded as JSON on one line, and
    chat template markers are removed.

    Args:
        proof: Proof with the verdicts.
        source: Source of the tool. Lines with complaints are quoted, because small models cannot count lines.
    """
    failed = [(number, result) for number, result in enumerate(proof.cases, 1) if not result.ok]
    blocks = [*map(_told, proof.verdicts), *(_told_case(number, result) for number, result in failed[:_MOST_CASES])]
    if len(failed) > _MOST_CASES:
        blocks.append(f"{len(failed) - _MOST_CASES} more cases failed.")
    blocks += _quoted("\n".join(blocks), source.splitlines())
    if any(result.result is not None and result.case.expect is not None for _, result in failed):
        blocks.append(_EXPECTED)
    return sanitised("\n".join(blocks), LONGEST)


def _told(verdict: Verdict) -> str:
    if verdict.ok:
        return f"{verdict.stage}: passed"
    reason = verdict.reason.partition("\n")[0] if verdict.stage is VerificationStage.SANDBOX else verdict.reason
    return f"{verdict.stage}: FAILED. {sanitised(reason, _REASON)}"  # failed cases follow below with more detail


def _quoted(told: str, lines: Sequence[str]) -> list[str]:
    numbers = dict.fromkeys(int(found) for found in _LINE.findall(told))
    known = [number for number in numbers if 0 < number <= len(lines)]
    return [f"Line {number} is: {sanitised(lines[number - 1].strip(), _QUOTED)}" for number in known[:_MOST_LINES]]


def _told_case(number: int, result: CaseResult) -> str:
    case = result.case
    lines = [f"Case {number} failed: {sanitised(result.reason, _VALUE)}", f"  arguments: {_json(dict(case.arguments))}"]
    if case.expect is not None:
        lines.append(f"  expected: {_json(case.expect)}")
    if result.result is not None:
        lines.append(f"  got: {_json(result.result)}")
    if result.log:
        lines.append(f"  printed: {_json(result.log[-_LOG:])}")
    return "\n".join(lines)


def _json(value: Any) -> str:
    return sanitised(json.dumps(value, ensure_ascii=False), _VALUE)
