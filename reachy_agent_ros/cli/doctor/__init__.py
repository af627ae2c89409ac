"""Results of the checks that this machine has what the robot needs."""

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
        subject: What was checked, in a word or two.
        verdict: Severity.
        detail: The finding, in one sentence.
        cure: How to fix it, in one sentence; empty if there is nothing to fix.
    """

    subject: str
    verdict: CheckStatus
    detail: str
    cure: str = ""


def good(subject: str, detail: str) -> CheckResult:
    """A check that passed."""
    return CheckResult(subject, CheckStatus.GOOD, detail)


def less(subject: str, detail: str, cure: str) -> CheckResult:
    """A check that found something missing without which the robot runs."""
    return CheckResult(subject, CheckStatus.LESS, detail, cure)


def bad(subject: str, detail: str, cure: str) -> CheckResult:
    """A check that found why the robot cannot run."""
    return CheckResult(subject, CheckStatus.BAD, detail, cure)
