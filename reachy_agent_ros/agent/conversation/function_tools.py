"""The tools as the Agents SDK wants them, and those of a turn as they are at the moment."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from agents import FunctionTool, Tool
from agents.run_context import RunContextWrapper
from agents.tool_context import ToolContext

from reachy_agent_ros.agent.conversation.turn_tools import TurnTools
from reachy_agent_ros.agent.guardrails.tool_output import bounded, wrapped
from reachy_agent_ros.agent.provenance.label import LabelledText, labels_of, read, written
from reachy_agent_ros.core.instructions_in_data import instructions_in
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin, ToolOutcome

TIMEOUT_MARGIN = 5.0
"""Seconds the SDK waits beyond a tool's own limit: the tool server's own error says more than the SDK's."""

Approved = dict[str, uuid.UUID]
"""Approvals of a turn's calls, by the model's id of the call."""


def function_tool(tool: ToolDescription, tools: TurnTools, approved: Approved, approval_time: float) -> Tool:
    """A tool for the SDK.

    Args:
        tool: What the catalogue says of it.
        tools: Makes the calls. Malformed arguments reach it too: they are refused there with a reason.
        approved: Approvals that a person gave, which whoever asks adds to.
        approval_time: s a person may have, should a grant end between the question and the call.
    """

    async def invoke(context: ToolContext[Any], arguments_json: str) -> str:
        outcome = await tools.call(tool.name, arguments_json, approved.pop(context.tool_call_id, None))
        if _is_foreign(tool, outcome):
            tools.tainted |= bool(instructions_in(outcome.for_model))
            tools.provenance.context.add(LabelledText(bounded(outcome.for_model), read(_origin(tool, outcome))))
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
    """What a model is told of a call: no more than it can read, and what others wrote is marked as theirs."""
    text = bounded(outcome.for_model)
    return wrapped(text, tool.name, origin=_origin(tool, outcome)) if _is_foreign(tool, outcome) else text


class LiveTools:
    """Gives agents their tools: one that is written or switched off while a turn runs counts at once.

    Args:
        offered: Gives the tools that a model may choose from now.
        equip: Makes one of them for the SDK.
    """

    def __init__(
        self, offered: Callable[[], Sequence[ToolDescription]], equip: Callable[[ToolDescription], Tool]
    ) -> None:
        self._offered = offered
        self._equip = equip
        self._made: dict[str, tuple[ToolDescription, Tool]] = {}

    def of(self, *specialists: str) -> list[Tool]:
        """The tools that specialists have now, in their order: the same objects while nothing about them changes."""
        offered = self._offered()
        return [self._tool(about) for name in specialists for about in offered if about.specialist == name]

    def has(self, name: str) -> bool:
        """Whether a specialist has a tool now."""
        return any(about.name == name for about in self._offered())

    def _tool(self, about: ToolDescription) -> Tool:
        described, tool = self._made.get(about.name, (None, None))
        if tool is None or described != about:
            tool = self._equip(about)
            self._made[about.name] = about, tool
        return tool


def _origin(tool: ToolDescription, outcome: ToolOutcome) -> str:
    """The provenance labels of what came of a call, as the host knows them."""
    return written(labels_of(tool)) if outcome.origin is None else outcome.origin


def _is_foreign(tool: ToolDescription, outcome: ToolOutcome) -> bool:
    """Whether what came of a call holds words of others; an error of another's tool does too."""
    return tool.origin is not ToolOrigin.PREDEFINED or (outcome.error is None and tool.untrusted_output)
