"""Everything that is known of a source after it was proven, or was not."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.tool_generation.program import Program
from reachy_agent_ros.tool_generation.proving.case_result import CaseResult
from reachy_agent_ros.tool_generation.verdict import Verdict


@dataclass(frozen=True)
class Proof:
    """The verdicts, and what they rest on.

    Attributes:
        program: What was read; None where it could not be.
        verdicts: Of the stages in their order, up to the first that failed.
        cases: How each case went in the box, failed ones included.
        robot_commands: How often the cases commanded the robot.
        violations: What they did that no tool may, a sentence each.
    """

    program: Program | None
    verdicts: tuple[Verdict, ...]
    cases: tuple[CaseResult, ...] = ()
    robot_commands: int = 0
    violations: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every stage passed."""
        return self.program is not None and all(verdict.ok for verdict in self.verdicts)
