"""A persona that the robot can be, and how it is read from its folder.

The folder holds `persona.yaml`, `instructions.md`, and `mcp.yaml` if the persona brings MCP servers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings, load_servers
from reachy_agent_ros.agent.personas.template import Template, read_template
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form

ALWAYS_ALLOWED = "stop"
"""Whoever the robot is, it can be stopped."""
SETTINGS = "persona.yaml"
_INSTRUCTIONS = "instructions.md"
_SERVERS = "mcp.yaml"

_LARGEST_SETTINGS = 20_000
"""Bytes of `persona.yaml`."""

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


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


def check_name(name: str) -> None:
    """Checks the name of a persona. A valid name never leads out of a folder.

    Raises:
        AgentError: `INVALID_ARGUMENTS`.
    """
    if not _NAME.fullmatch(name):
        allowed = "1 to 40 lower-case letters, digits, - and _, a letter first"
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name!r:.60} cannot be a persona's name, which is {allowed}.")


def looks_like_persona(folder: Path) -> bool:
    """Whether a folder is meant to be a persona; a folder of shared pieces is not."""
    return (folder / SETTINGS).exists() or (folder / _INSTRUCTIONS).exists()


def read_persona(folder: Path, pieces: Sequence[Path], shipped: Path | None = None) -> Persona:
    """Reads a persona from its folder.

    Args:
        folder: Its name is the persona's.
        pieces: Folders to include from, after its own.
        shipped: As for `read_template`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming the file and what is wrong with it.
    """
    check_name(folder.name)
    root = None if folder.parent == shipped else folder.parent
    settings = read_form(folder / SETTINGS, _Settings, _LARGEST_SETTINGS, root=root)
    return Persona(
        name=folder.name,
        description=settings.description,
        voice=settings.voice,
        tools=tuple(settings.tools),
        servers=load_servers(folder / _SERVERS, root),
        template=read_template(folder / _INSTRUCTIONS, (folder, *pieces), shipped),
        folder=folder,
    )


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("it must be one line that can be printed")
    return text


class _Settings(StrictForm):
    description: Annotated[
        str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True), AfterValidator(_one_line)
    ]
    voice: Annotated[str, StringConstraints(max_length=100, pattern=r"^[A-Za-z0-9_.-]*$")] = ""
    tools: Annotated[
        list[Annotated[str, StringConstraints(max_length=100, pattern=r"^[A-Za-z0-9_.*-]+$")]], Field(max_length=200)
    ]
