"""What a language model needs to know to repair a tool, in few words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from reachy_agent_ros.core.sanitised_text import sanitised
from reachy_agent_ros.tool_generation.proving.case_result import CaseResult
from reachy_agent_ros.tool_generation.proving.proof import Proof
from reachy_agent_ros.tool_generation.verdict import Stage, Verdict

LONGEST = 4000
"""Letters of the whole text: a model's attention is short, and its memory too."""

_MOST_CASES = 4
"""Failed cases that are told: more of them are mostly the same mistake."""

_REASON, _VALUE, _LOG, _QUOTED = 1200, 400, 400, 120
"""Letters of a verdict's reason, of a value, of what was printed and of a line of the source."""

_MOST_LINES = 6
"""Lines that are quoted."""

_LINE = re.compile(r"\bline (\d{1,4})\b")

_EXPECTED = "If the source is right, the case is wrong: correct what it expects, or leave `expect` out."
"""Models that cannot compute well break a right source to fit a wrong case."""


def repair_text(proof: Proof, source: str = "") -> str:
    """The stages' verdicts and, of the cases that failed, what was expected, what came and what was printed.

    Results and printed lines may hold words from the web or a picture: they are cut, stay on their lines as JSON, and
    have lost what passes for a mark of a chat template.

    Args:
        proof: What was found.
        source: What it was found in: lines that are complained of are quoted, because small models cannot count them.
    """
    failed = [(number, result) for number, result in enumerate(proof.cases, 1) if not result.ok]
    blocks = [*map(_told, proof.verdicts), *(_case(number, result) for number, result in failed[:_MOST_CASES])]
    if len(failed) > _MOST_CASES:
        blocks.append(f"{len(failed) - _MOST_CASES} more cases failed.")
    blocks += _quoted("\n".join(blocks), source.splitlines())
    if any(result.result is not None and result.case.expect is not None for _, result in failed):
        blocks.append(_EXPECTED)
    return sanitised("\n".join(blocks), LONGEST)


def _told(verdict: Verdict) -> str:
    if verdict.ok:
        return f"{verdict.stage}: passed"
    reason = verdict.reason.partition("\n")[0] if verdict.stage is Stage.SANDBOX else verdict.reason
    return f"{verdict.stage}: FAILED. {sanitised(reason, _REASON)}"  # failed cases are told below, with more


def _quoted(told: str, lines: Sequence[str]) -> list[str]:
    numbers = dict.fromkeys(int(found) for found in _LINE.findall(told))
    known = [number for number in numbers if 0 < number <= len(lines)]
    return [f"Line {number} is: {sanitised(lines[number - 1].strip(), _QUOTED)}" for number in known[:_MOST_LINES]]


def _case(number: int, result: CaseResult) -> str:
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
