"""Checks whether this machine meets the requirements. This module defines the types of the results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CheckStatus(StrEnum):
    """Severity of a check result."""

    GOOD = "good"
    LESS = "less"
    """The robot runs, but something is missing."""
    BAD = "bad"
    """The robot does not run."""


@dataclass(frozen=True)
class CheckResult:
    """Result of one check.

    Attributes:
        subject: Subject of the check, in a word or two.
        verdict: Severity.
        detail: Finding, in one sentence.
        cure: Fix, in one sentence; empty if there is nothing to fix.
    """

    subject: str
    verdict: CheckStatus
    detail: str
    cure: str = ""


def good(subject: str, detail: str) -> CheckResult:
    """Returns the result of a passed check."""
    return CheckResult(subject, CheckStatus.GOOD, detail)


def less(subject: str, detail: str, cure: str) -> CheckResult:
    """Returns the result for a missing optional requirement."""
    return CheckResult(subject, CheckStatus.LESS, detail, cure)


def bad(subject: str, detail: str, cure: str) -> CheckResult:
    """Returns the result for a missing mandatory requirement."""
    return CheckResult(subject, CheckStatus.BAD, detail, cure)
