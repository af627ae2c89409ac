"""What came of one case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.tool_generation.proving.case import Case


@dataclass(frozen=True)
class CaseResult:
    """How a case went, as the host saw it.

    Attributes:
        case: Which.
        reason: Why it failed, empty where it did not.
        result: What the tool returned; None where it did not.
        log: What it printed.
        commands: How often it commanded the robot; what was refused is no command.
        violations: Calls that were refused or clamped, a sentence each.
        took: s of the rehearsal's time.
        elapsed: s of real time.
    """

    case: Case
    reason: str = ""
    result: Any = None
    log: str = ""
    commands: int = 0
    violations: tuple[str, ...] = ()
    took: float = 0.0
    elapsed: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether it did what the case asks for."""
        return not self.reason
