"""Outcome of fuzzing one surface."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Failure:
    """One case that the product did not stand.

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
    """Number of cases, and the failures.

    Attributes:
        cases: How many were tried.
        taken: How many of them were answered with a value or an effect; the others were refused.
        crashes: Errors that are not the surface's own, ends of processes, and broken invariants.
        hangs: Cases without an answer in time.
    """

    cases: int = 0
    taken: int = 0
    crashes: list[Failure] = field(default_factory=list)
    hangs: list[Failure] = field(default_factory=list)
