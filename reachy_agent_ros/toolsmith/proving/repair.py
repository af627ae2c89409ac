"""What a language model needs to know to repair a tool, in few words."""

from __future__ import annotations

import json
from typing import Any

from reachy_agent_ros.core.sanitised_text import sanitised
from reachy_agent_ros.toolsmith.proving.case_result import CaseResult
from reachy_agent_ros.toolsmith.proving.proof import Proof
from reachy_agent_ros.toolsmith.verdict import Verdict

LONGEST = 4000
"""Letters of the whole text: a model's attention is short, and its memory too."""

_MOST_CASES = 4
"""Failed cases that are told: more of them are mostly the same mistake."""

_REASON, _VALUE, _LOG = 1200, 400, 400
"""Letters of a verdict's reason, of a value and of what was printed."""


def repair_text(proof: Proof) -> str:
    """The stages' verdicts and, of the cases that failed, what was expected, what came and what was printed.

    Results and printed lines may hold words from the web or a picture: they are cut, stay on their lines as JSON, and
    have lost what passes for a mark of a chat template.
    """
    failed = [(number, result) for number, result in enumerate(proof.cases, 1) if not result.ok]
    blocks = [*map(_told, proof.verdicts), *(_case(number, result) for number, result in failed[:_MOST_CASES])]
    if len(failed) > _MOST_CASES:
        blocks.append(f"{len(failed) - _MOST_CASES} more cases failed.")
    return sanitised("\n".join(blocks), LONGEST)


def _told(verdict: Verdict) -> str:
    return (
        f"{verdict.stage}: passed" if verdict.ok else f"{verdict.stage}: FAILED. {sanitised(verdict.reason, _REASON)}"
    )


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
