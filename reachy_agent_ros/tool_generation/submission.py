"""What somebody hands in to become a tool."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.tool_generation.proving.case import Case

IMPORT = "import"
"""Author of what strangers wrote, which a person always approves first."""


@dataclass(frozen=True)
class Submission:
    """A tool that somebody wants to have.

    Attributes:
        source: Bytes that claim to be Python.
        cases: What it should do.
        author: "model NAME", "person", "import" or "folder".
        request: What was asked for, in words.
        explanation: What it is for, in the author's words.
        asked_by: Token that it was asked for with, empty if none.
    """

    source: bytes
    cases: tuple[Case, ...] = ()
    author: str = ""
    request: str = ""
    explanation: str = ""
    asked_by: str = ""
