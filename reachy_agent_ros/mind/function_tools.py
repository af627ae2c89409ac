"""The robot's tools as the Agents SDK wants them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents import FunctionTool, Tool
from agents.tool_context import ToolContext

from reachy_agent_ros.mind.tools import CallTool, ToolDescription

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
