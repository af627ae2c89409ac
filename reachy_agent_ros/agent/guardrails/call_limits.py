"""Limits on the tool calls of one turn: repeated calls and motion of the body.

All are checked before a call leaves the agent.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tool_arguments import read_arguments
from reachy_agent_ros.tools.protocol.tools import ToolDescription


class RepeatedCalls:
    """Counts the calls of one turn. How often counts, not in which order: a circle of several calls is a circle too.

    Args:
        most: Times that the same call may be made; a person may well ask for five nods.
        most_failures: Times that it may fail: it will fail again.
    """

    def __init__(self, most: int = 5, most_failures: int = 2) -> None:
        self._most = most
        self._most_failures = most_failures
        self._calls: Counter[tuple[str, str]] = Counter()
        self._failures: Counter[tuple[str, str]] = Counter()

    def begin(self, tool: str, arguments_json: str) -> None:
        """Takes a call that is about to be made.

        Raises:
            AgentError: `MODEL_MISBEHAVED`, for the turn: the call was made, or has failed, too often.
        """
        call = same_call(tool, arguments_json)
        if self._failures[call] >= self._most_failures:
            message = f"The language model calls {tool} again, which failed {self._most_failures} times."
            raise AgentError(ErrorCode.MODEL_MISBEHAVED, message)
        if self._calls[call] >= self._most:
            message = f"The language model went round in circles: it called {tool} the same way {self._most} times."
            raise AgentError(ErrorCode.MODEL_MISBEHAVED, message)
        self._calls[call] += 1

    def failed(self, tool: str, arguments_json: str) -> None:
        """Takes the failure of a call."""
        self._failures[same_call(tool, arguments_json)] += 1


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


def same_call(tool: str, arguments_json: str) -> tuple[str, str]:
    """The call in a form that order, spaces and the way a number is written do not change."""
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
