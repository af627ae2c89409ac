"""Submissions of tools: what somebody hands in, whether a person has to review it, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.need import Need
from reachy_agent_ros.tool_generation.program import Program
from reachy_agent_ros.tool_generation.proving.case import Case
from reachy_agent_ros.tool_generation.proving.proof import Proof, repair_text
from reachy_agent_ros.tool_generation.sandbox.enclosure import Tier

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


class Review(StrEnum):
    """What a person wants to see."""

    NEVER = "never"
    """Nothing: the proof is enough."""
    ACTING = "acting"
    """What moves the robot, speaks, or asks other machines."""
    ALWAYS = "always"
    """Every tool."""


def needs_review(program: Program, review: Review, tier: Tier) -> bool:
    """Whether a program waits for a person. In the weaker box each of them does, whatever is wanted."""
    if review is Review.ALWAYS or tier is Tier.LANDLOCK:
        return True
    return review is Review.ACTING and bool(program.needs & {Need.BODY, Need.VOICE, Need.WEB})


@dataclass(frozen=True)
class Registration:
    """A submission that was proven, and kept if it passed.

    Attributes:
        proof: The verdicts, and what they rest on.
        version: Of the tool; 0 where it is not kept because a stage failed.
        waiting: Whether a person has to approve it before it runs.
        source: What was submitted, as text.
    """

    proof: Proof
    version: int = 0
    waiting: bool = False
    source: str = ""

    @property
    def name(self) -> str:
        """Of the tool, empty where its source could not be read."""
        return "" if self.proof.program is None else self.proof.program.name

    def require(self) -> str:
        """What became of it, in words.

        Raises:
            AgentError: `VALIDATION_FAILED`: a stage failed, and what a model or a person can repair from.
        """
        if not self.version:
            raise AgentError(ErrorCode.VALIDATION_FAILED, repair_text(self.proof, self.source))
        state = "waits for a person's review" if self.waiting else "is registered"
        return f"Version {self.version} of {self.name} {state}."
