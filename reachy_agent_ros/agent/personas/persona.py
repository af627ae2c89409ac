"""One of those the robot can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.agent.personas.template import Template

ALWAYS_ALLOWED = "stop"
"""Whoever the robot is, it can be stopped."""


@dataclass(frozen=True)
class Persona:
    """Mirror of `reachy_agent_msgs/msg/Persona`, and what lies behind it.

    Attributes:
        name: Lower case, unique; that of its folder.
        description: One line for people.
        voice: Empty: the configured one.
        tools: Names, with `*` for any characters, of the tools it uses.
        servers: MCP servers that run only while the robot is this one; their tools have to be among `tools` too.
        template: Its instructions.
        folder: Where it was read from.
    """

    name: str
    description: str
    voice: str
    tools: tuple[str, ...]
    servers: tuple[McpServerSettings, ...]
    template: Template
    folder: Path

    def allows(self, tool: str) -> bool:
        """Whether it uses a tool."""
        return tool == ALWAYS_ALLOWED or any(fnmatchcase(tool, pattern) for pattern in self.tools)

    def instructions(self, values: Mapping[str, str]) -> str:
        """What a model is told, byte for byte the same for the same values.

        Args:
            values: By name, as `{owner}`; one line each.

        Raises:
            AgentError: `INVALID_ARGUMENTS`, naming file and line of a value that there is not.
        """
        return self.template.expand(values)
