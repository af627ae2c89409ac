"""Verdicts of the stages that prove a tool, and the complaints by which one of them rejects its source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode

_MOST_COMPLAINTS = 20
"""Told at once: nobody repairs more in one go."""


class VerificationStage(StrEnum):
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

    stage: VerificationStage
    ok: bool
    reason: str = ""
    duration: float = 0.0


@dataclass(frozen=True, order=True)
class Complaint:
    """One thing that must be changed.

    Attributes:
        line: Of the source, from 1.
        message: What is wrong there and what is allowed instead.
    """

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class SourceRejectedError(AgentError):
    """A source that is not taken; `VALIDATION_FAILED`, and every complaint is a line of the message.

    Args:
        stage: Which stage refuses.
        complaints: In any order, at least one.
    """

    def __init__(self, stage: VerificationStage, complaints: Iterable[Complaint]) -> None:
        every = sorted(set(complaints))
        self.stage = stage
        self.complaints = tuple(every[:_MOST_COMPLAINTS])
        lines = [str(complaint) for complaint in self.complaints]
        if len(every) > _MOST_COMPLAINTS:
            lines.append(f"and {len(every) - _MOST_COMPLAINTS} more")
        super().__init__(ErrorCode.VALIDATION_FAILED, "\n".join(lines))
