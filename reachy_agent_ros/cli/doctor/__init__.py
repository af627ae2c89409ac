"""Looks whether this machine has what the robot needs, and says how to mend what it has not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How it is."""

    GOOD = "good"
    LESS = "less"
    """The robot runs, with something less."""
    BAD = "bad"
    """The robot does not run."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        subject: What, in a word or two.
        verdict: How it is.
        detail: What was found, in one sentence.
        cure: How to mend it, in one sentence; empty where nothing is to be mended.
    """

    subject: str
    verdict: Verdict
    detail: str
    cure: str = ""


Examination = Callable[[], Iterable[Finding]]
"""Looks at one concern. Raises nothing: what cannot be looked at is a finding."""


def good(subject: str, detail: str) -> Finding:
    """All is well."""
    return Finding(subject, Verdict.GOOD, detail)


def less(subject: str, detail: str, cure: str) -> Finding:
    """Something will be missing."""
    return Finding(subject, Verdict.LESS, detail, cure)


def bad(subject: str, detail: str, cure: str) -> Finding:
    """It will not run."""
    return Finding(subject, Verdict.BAD, detail, cure)
