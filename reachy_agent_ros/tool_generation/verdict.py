"""What one stage of proving a tool found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """The stages, in their order; mirror of `ToolVerdict.stage`."""

    TEXT = "text"
    SYNTAX = "syntax"
    SANDBOX = "sandbox"
    TRIAL = "trial"
    REVIEW = "review"


@dataclass(frozen=True)
class Verdict:
    """How one stage went.

    Attributes:
        stage: Which.
        ok: Whether the tool passed it.
        reason: Why not, with line numbers a model can repair from; or what was found, for people.
        duration: s it took.
    """

    stage: Stage
    ok: bool
    reason: str = ""
    duration: float = 0.0
