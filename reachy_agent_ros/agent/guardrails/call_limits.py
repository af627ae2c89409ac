"""Limits for repeated tool calls and for motions in one turn, checked before a call leaves the agent."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tool_arguments import read_arguments
from reachy_agent_ros.tools.protocol.tools import ToolDescription


class RepeatedCalls:
    """Limits identical calls in one turn. Calls need not be consecutive, so loops of several calls are also detected.

    Args:
        most: Maximum number of identical calls. A person may reasonably ask for five nods.
        most_failures: Number of failures after which an identical call is rejected, because it would fail again.
    """

    def __init__(self, most: int = 5, most_failures: int = 2) -> None:
        self._most = most
        self._most_failures = most_failures
        self._calls: Counter[tuple[str, str]] = Counter()
        self._failures: Counter[tuple[str, str]] = Counter()

    def begin(self, tool: str, arguments_json: str) -> None:
        """Counts a call before it is made. Raises an error if the call exceeds a limit.

        Raises:
            AgentError: `MODEL_MISBEHAVED`: the call was made or failed too often, so the turn should end.
        """
        call = same_call(tool, arguments_json)
        if self._failures[call] >= self._most_failures:
            message = f"The language model repeats a call to {tool} that has failed {self._most_failures} times."
            raise AgentError(ErrorCode.MODEL_MISBEHAVED, message)
        if self._calls[call] >= self._most:
            message = f"The language model is in a loop: it made the same call to {tool} {self._most} times."
            raise AgentError(ErrorCode.MODEL_MISBEHAVED, message)
        self._calls[call] += 1

    def failed(self, tool: str, arguments_json: str) -> None:
        """Counts a failed call."""
        self._failures[same_call(tool, arguments_json)] += 1


@dataclass(frozen=True)
class MotionAllowance:
    """Maximum number and total duration of motions in one turn.

    Attributes:
        calls: Maximum number of calls to tools that move the robot.
        seconds: Maximum total of the `duration_s` arguments of these calls, s.
    """

    calls: int = 20
    seconds: float = 60.0


class MotionLimits:
    """Limits motion in one turn, in addition to the limits of the hardware bridge.

    Args:
        allowance: Limits for the turn.
    """

    def __init__(self, allowance: MotionAllowance | None = None) -> None:
        self._allowance = allowance or MotionAllowance()
        self._calls = 0
        self._seconds = 0.0

    def admit(self, tool: ToolDescription, arguments_json: str) -> None:
        """Counts a call to a tool that moves the robot, or rejects the call if it exceeds a limit.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the arguments violate the schema; `BUDGET_EXCEEDED`.
        """
        arguments = read_arguments(tool, arguments_json)
        asked = arguments.get("duration_s", 0.0)
        seconds = self._seconds + (asked if isinstance(asked, int | float) else 0.0)
        if self._calls >= self._allowance.calls:
            message = f"The limit of {self._allowance.calls} motions per turn has been reached."
            raise AgentError(ErrorCode.BUDGET_EXCEEDED, message)
        if seconds > self._allowance.seconds:
            message = f"The motions of a turn may take {self._allowance.seconds:g} s in total, not {seconds:g} s."
            raise AgentError(ErrorCode.BUDGET_EXCEEDED, message)
        self._calls, self._seconds = self._calls + 1, seconds


def same_call(tool: str, arguments_json: str) -> tuple[str, str]:
    """Returns a canonical form of a call, independent of key order, spaces and number formats."""
    try:
        return tool, json.dumps(_plain(json.loads(arguments_json or "{}")), sort_keys=True)
    except (ValueError, RecursionError):
        return tool, arguments_json


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
