"""What the calls of one turn may ask of the body, checked before any of them leaves the agent."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tool_arguments import read_arguments
from reachy_agent_ros.tools.protocol.tools import ToolDescription


@dataclass(frozen=True)
class MotionAllowance:
    """What one turn may move.

    Attributes:
        calls: Of tools that move the robot.
        seconds: That they ask to take together, as `duration_s`.
    """

    calls: int = 20
    seconds: float = 60.0


class MotionLimits:
    """Counts one turn's motions. The hardware bridge's envelope stands behind it, whatever passes here.

    Args:
        allowance: What the turn may move.
    """

    def __init__(self, allowance: MotionAllowance | None = None) -> None:
        self._allowance = allowance or MotionAllowance()
        self._calls = 0
        self._seconds = 0.0

    def admit(self, tool: ToolDescription, arguments_json: str) -> None:
        """Takes a call of a tool that moves the robot; one that is refused does not count.

        Raises:
            AgentError: `INVALID_ARGUMENTS`, naming what the schema does not allow, or `BUDGET_EXCEEDED`.
        """
        arguments = read_arguments(tool, arguments_json)
        asked = arguments.get("duration_s", 0.0)
        seconds = self._seconds + (asked if isinstance(asked, int | float) else 0.0)
        if self._calls >= self._allowance.calls:
            message = f"A turn may move the robot {self._allowance.calls} times, and this one has."
            raise AgentError(ErrorCode.BUDGET_EXCEEDED, message)
        if seconds > self._allowance.seconds:
            message = f"A turn's motions may take {self._allowance.seconds:g} s together, not {seconds:g} s."
            raise AgentError(ErrorCode.BUDGET_EXCEEDED, message)
        self._calls, self._seconds = self._calls + 1, seconds
