"""The robot's tools as the mind sees them, and as the SDK wants them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents import FunctionTool, Tool
from agents.tool_context import ToolContext

from reachy_agent_ros.core.errors import AgentError


@dataclass(frozen=True)
class ToolDescription:
    """One tool of the live catalogue.

    Attributes:
        name: Its name.
        description: What it does, for a model.
        schema: JSON Schema of its arguments.
        time_limit: Longest a call may take, s.
        needs_approval: Whether a person must say yes to each call.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    time_limit: float
    needs_approval: bool = False


@dataclass(frozen=True)
class ToolOutcome:
    """How a call ended.

    Attributes:
        result_json: JSON object, "{}" after an error.
        error: What went wrong, None if nothing did.
    """

    result_json: str
    error: AgentError | None = None

    @property
    def for_model(self) -> str:
        """The result, or the error in a form that no model takes for a success."""
        if self.error is None:
            return self.result_json
        return json.dumps({"error": self.error.code.name, "message": self.error.message})


CallTool = Callable[[str, str], Awaitable[ToolOutcome]]
"""Calls a tool by name with its arguments as JSON."""

TIMEOUT_MARGIN = 5.0
"""Seconds the SDK waits beyond a tool's own limit: the tool server's own error says more than the SDK's."""


def function_tools(catalogue: Sequence[ToolDescription], call: CallTool, approval_time: float) -> list[Tool]:
    """The catalogue for the SDK.

    Args:
        catalogue: What to offer.
        call: Runs a call. Malformed arguments reach it too: the tool server refuses them with a reason.
        approval_time: s, how long a call may wait for a person.
    """
    return [_function_tool(tool, call, approval_time if tool.needs_approval else 0.0) for tool in catalogue]


def _function_tool(tool: ToolDescription, call: CallTool, waiting: float) -> Tool:
    async def invoke(_context: ToolContext[Any], arguments_json: str) -> str:
        return (await call(tool.name, arguments_json)).for_model

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=dict(tool.schema),
        on_invoke_tool=invoke,
        strict_json_schema=False,
        timeout_seconds=tool.time_limit + TIMEOUT_MARGIN + waiting,
    )
