"""Verdicts of the verification stages, and the complaints about a rejected source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode

_MOST_COMPLAINTS = 20
"""Maximum number of complaints in a message: nobody repairs more at once."""


class VerificationStage(StrEnum):
    """Verification stages in their order. The values mirror `ToolVerdict.stage`."""

    TEXT = "text"
    SYNTAX = "syntax"
    SANDBOX = "sandbox"
    TRIAL = "trial"
    REVIEW = "review"


@dataclass(frozen=True)
class Verdict:
    """Result of a verification stage.

    Attributes:
        stage: Verification stage.
        ok: Whether the tool passed the stage.
        reason: Reason for a failure, with line numbers, from which a model can repair the tool; or a note for people.
        duration: Duration, s.
    """

    stage: VerificationStage
    ok: bool
    reason: str = ""
    duration: float = 0.0


@dataclass(frozen=True, order=True)
class Complaint:
    """Problem in a source, with its line.

    Attributes:
        line: Line of the source, from 1.
        message: Problem on that line, and what is allowed instead.
    """

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class SourceRejectedError(AgentError):
    """Error `VALIDATION_FAILED` for a rejected source. Each line of the message is a complaint.

    Args:
        stage: Stage that rejects the source.
        complaints: Complaints in any order, at least one.
    """

    def __init__(self, stage: VerificationStage, complaints: Iterable[Complaint]) -> None:
        every = sorted(set(complaints))
        self.stage = stage
        self.complaints = tuple(every[:_MOST_COMPLAINTS])
        lines = [str(complaint) for complaint in self.complaints]
        if len(every) > _MOST_COMPLAINTS:
            lines.append(f"and {len(every) - _MOST_COMPLAINTS} more")
        super().__init__(ErrorCode.VALIDATION_FAILED, "\n".join(lines))
