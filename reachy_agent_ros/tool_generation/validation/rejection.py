"""Why a tool's source is refused, said so that whoever wrote it can repair it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.verdict import Stage

MOST_COMPLAINTS = 20
"""Told at once: nobody repairs more in one go."""


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


class Rejection(AgentError):  # noqa: N818 - it is an answer, no error of ours
    """A source that is not taken; `VALIDATION_FAILED`, and every complaint is a line of the message.

    Args:
        stage: Which stage refuses.
        complaints: In any order, at least one.
    """

    def __init__(self, stage: Stage, complaints: Iterable[Complaint]) -> None:
        every = sorted(set(complaints))
        self.stage = stage
        self.complaints = tuple(every[:MOST_COMPLAINTS])
        lines = [str(complaint) for complaint in self.complaints]
        if len(every) > MOST_COMPLAINTS:
            lines.append(f"and {len(every) - MOST_COMPLAINTS} more")
        super().__init__(ErrorCode.VALIDATION_FAILED, "\n".join(lines))
