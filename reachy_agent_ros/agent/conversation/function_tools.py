"""Function tools for the OpenAI Agents SDK, kept up to date during a turn."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from agents import FunctionTool, Tool
from agents.run_context import RunContextWrapper
from agents.tool_context import ToolContext

from reachy_agent_ros.agent.conversation.specialists import Specialist
from reachy_agent_ros.agent.conversation.turn_tools import TurnTools
from reachy_agent_ros.agent.guardrails.tool_output import bounded, wrapped
from reachy_agent_ros.agent.provenance.label import LabeledText, labels_of, read, written
from reachy_agent_ros.core.instructions_in_data import instructions_in
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin, ToolOutcome

TIMEOUT_MARGIN = 5.0
"""Time that the SDK waits beyond a tool's own time limit, s, because the tool server's error is more specific."""

Approved = dict[str, uuid.UUID]
"""Approval id of each call, by the call id that the model generated."""


def function_tool(tool: ToolDescription, tools: TurnTools, approved: Approved, approval_time: float) -> Tool:
    """Creates an SDK function tool that calls one of the robot's tools.

    Args:
        tool: Description of the tool.
        tools: Makes the tool calls of the turn, and rejects malformed arguments with a reason.
        approved: Approvals that people have given. A call removes its own approval.
        approval_time: Time limit for a person's answer, s, in case a grant expires between the check and the call.
    """

    async def invoke(context: ToolContext[Any], arguments_json: str) -> str:
        outcome = await tools.call(tool.name, arguments_json, approved.pop(context.tool_call_id, None))
        if _is_foreign(tool, outcome):
            tools.tainted |= bool(instructions_in(outcome.for_model))
            tools.provenance.context.add(LabeledText(bounded(outcome.for_model), read(_origin(tool, outcome))))
        return told(tool, outcome)

    async def must_ask(_context: RunContextWrapper[Any], arguments: dict[str, Any], _call_id: str) -> bool:
        return tools.must_ask(tool.name, json.dumps(arguments))

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=dict(tool.schema),
        on_invoke_tool=invoke,
        strict_json_schema=False,
        needs_approval=must_ask,
        timeout_seconds=tool.time_limit + TIMEOUT_MARGIN + approval_time,
    )


def told(tool: ToolDescription, outcome: ToolOutcome) -> str:
    """Formats a tool outcome for a model: limited in length, and marked if it comes from an external source."""
    text = bounded(outcome.for_model)
    return wrapped(text, tool.name, origin=_origin(tool, outcome)) if _is_foreign(tool, outcome) else text


class LiveTools:
    """Function tools of the agents. Additions and removals during a turn take effect at the next step.

    Args:
        offered: Returns the tools that a model may currently call.
        equip: Creates the function tool for a description.
    """

    def __init__(
        self, offered: Callable[[], Sequence[ToolDescription]], equip: Callable[[ToolDescription], Tool]
    ) -> None:
        self._offered = offered
        self._equip = equip
        self._made: dict[str, tuple[ToolDescription, Tool]] = {}

    def of(self, *specialists: Specialist) -> list[Tool]:
        """Returns the current tools of the given specialists. Reuses the object of each tool that has not changed."""
        offered = self._offered()
        used = {about.name: about for one in specialists for about in offered if one.uses(about)}
        return [self._tool(about) for about in used.values()]

    def _tool(self, about: ToolDescription) -> Tool:
        described, tool = self._made.get(about.name, (None, None))
        if tool is None or described != about:
            tool = self._equip(about)
            self._made[about.name] = about, tool
        return tool


def _origin(tool: ToolDescription, outcome: ToolOutcome) -> str:
    """Returns the provenance labels of an outcome in one line."""
    return written(labels_of(tool)) if outcome.origin is None else outcome.origin


def _is_foreign(tool: ToolDescription, outcome: ToolOutcome) -> bool:
    """Returns whether an outcome may contain external text. Errors of tools that are not predefined may contain it."""
    return tool.origin is not ToolOrigin.PREDEFINED or (outcome.error is None and tool.untrusted_output)
