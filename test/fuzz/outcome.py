"""Outcome of fuzzing one surface of the product."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Failure:
    """Input that caused a crash or a hang.

    Attributes:
        case: Number of the case.
        reason: What happened, in one sentence.
        kept: File with the input.
    """

    case: int
    reason: str
    kept: Path


@dataclass
class Outcome:
    """Number of cases on one surface, and their failures.

    Attributes:
        cases: Number of cases.
        taken: Number of cases that were accepted. The others were rejected.
        crashes: Cases with an unexpected error, the death of a process or a violated invariant.
        hangs: Cases that timed out.
    """

    cases: int = 0
    taken: int = 0
    crashes: list[Failure] = field(default_factory=list)
    hangs: list[Failure] = field(default_factory=list)
