"""The tools of an MCP server as the mind sees them: what strangers wrote about themselves, checked and cut."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcp_types import Tool

from reachy_agent_ros.agent.mcp_tools.foreign_schema import safe_schema, texts
from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.agent.mcp_tools.tool_names import tool_name
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.instructions_in_data import instructions_in
from reachy_agent_ros.tools.protocol.tools import Origin, ToolDescription

MOST_TOOLS = 40
"""Of one server: more would crowd the robot's own out of a model's attention."""

MOST_LOOKED_AT = 200
"""Listed tools that are checked, each of which takes a millisecond."""

LONGEST_DESCRIPTION = 600
"""Characters of what a tool says about itself."""

_LONGEST_READ = 5_000
"""Characters in which instructions are looked for."""

_HONEST = frozenset({"tool call"})
"""What descriptions of tools rightly speak of."""


@dataclass(frozen=True)
class DescribedTools:
    """What of a server's list can be used.

    Attributes:
        tools: By the server's own names.
        complaint: What a person should know about the rest, empty if there is nothing.
    """

    tools: Mapping[str, ToolDescription]
    complaint: str


def described_tools(settings: McpServerSettings, listed: Sequence[Tool]) -> DescribedTools:
    """Takes what can be used from a list of tools, in its order.

    Args:
        settings: Of the server.
        listed: What it lists.
    """
    found: dict[str, ToolDescription] = {}
    left_out: list[str] = []
    for tool in [tool for tool in listed if settings.allows(tool.name)][:MOST_LOOKED_AT]:
        if tool.name in found:
            continue
        if len(found) == MOST_TOOLS:
            left_out.append(f"only {MOST_TOOLS} tools of a server are used, name those you want")
            break
        try:
            found[tool.name] = _described(settings, tool)
        except AgentError as error:
            left_out.append(f"the tool {tool.name!r:.80}: {error.message}")
    missing = sorted(set(settings.tools or ()) - {tool.name for tool in listed})
    left_out += [f"it has no tool {name!r:.80}" for name in missing]
    complaint = f"Of the MCP server {settings.name}: {'; '.join(left_out)}."[:1000] if left_out else ""
    return DescribedTools(found, complaint)


def _described(settings: McpServerSettings, tool: Tool) -> ToolDescription:
    schema = safe_schema(tool.input_schema)
    description = _plain((tool.description or "")[:_LONGEST_READ])
    written = "\n".join((tool.name, (tool.description or "")[:_LONGEST_READ], *texts(schema)))
    suspicious = set(instructions_in(written)) - _HONEST
    if suspicious:
        kinds = ", ".join(sorted(suspicious))
        complaint = f"left out, because its description contains what looks like instructions ({kinds})"
        raise AgentError(ErrorCode.VALIDATION_FAILED, complaint)
    return ToolDescription(
        name=tool_name(settings.name, tool.name),
        description=description or f"A tool of the server {settings.name}.",
        schema=schema,
        time_limit=settings.time_limit,
        origin=Origin.EXTERNAL,
        specialist=settings.specialist,
        untrusted_output=True,
    )


def _plain(text: str) -> str:
    """On one line, without letters that nobody sees, and not too long."""
    visible = "".join(letter for letter in text if letter.isspace() or unicodedata.category(letter)[0] != "C")
    line = " ".join(visible.split())
    return line if len(line) <= LONGEST_DESCRIPTION else f"{line[:LONGEST_DESCRIPTION]}…"
