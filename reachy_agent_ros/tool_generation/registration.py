"""What became of a submission."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.proving.proof import Proof
from reachy_agent_ros.tool_generation.proving.repair import repair_text


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
