"""Looks whether this machine has what the robot needs, and says how to mend what it has not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CheckStatus(StrEnum):
    """How it is."""

    GOOD = "good"
    LESS = "less"
    """The robot runs, with something less."""
    BAD = "bad"
    """The robot does not run."""


@dataclass(frozen=True)
class CheckResult:
    """One thing that was looked at.

    Attributes:
        subject: What, in a word or two.
        verdict: How it is.
        detail: What was found, in one sentence.
        cure: How to mend it, in one sentence; empty where nothing is to be mended.
    """

    subject: str
    verdict: CheckStatus
    detail: str
    cure: str = ""


def good(subject: str, detail: str) -> CheckResult:
    """All is well."""
    return CheckResult(subject, CheckStatus.GOOD, detail)


def less(subject: str, detail: str, cure: str) -> CheckResult:
    """Something will be missing."""
    return CheckResult(subject, CheckStatus.LESS, detail, cure)


def bad(subject: str, detail: str, cure: str) -> CheckResult:
    """It will not run."""
    return CheckResult(subject, CheckStatus.BAD, detail, cure)
