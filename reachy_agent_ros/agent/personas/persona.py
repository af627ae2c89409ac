"""Personas of the robot, and functions that read them from folders.

The folder of a persona contains `persona.yaml`, `instructions.md`, and `mcp.yaml` if the persona uses MCP servers.
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
"""Tool that every persona uses, because it must always be possible to stop the robot."""
SETTINGS = "persona.yaml"
_INSTRUCTIONS = "instructions.md"
_SERVERS = "mcp.yaml"

_LARGEST_SETTINGS = 20_000
"""Maximum size of `persona.yaml`, bytes."""

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_ALLOWED = "1 to 40 lower-case letters, digits, - and _, starting with a letter"


@dataclass(frozen=True)
class Persona:
    """Persona with its instructions, tools, voice and MCP servers; extends `reachy_agent_msgs/msg/Persona`.

    Attributes:
        name: Unique lower-case name, which is also the name of the folder.
        description: One line for people.
        voice: Name of the voice; empty for the configured voice.
        tools: Names of the persona's tools, where `*` stands for any characters.
        servers: MCP servers that run only while the persona is active. Their tools must also be in `tools`.
        template: Template of the instructions.
        folder: Folder of the persona.
    """

    name: str
    description: str
    voice: str
    tools: tuple[str, ...]
    servers: tuple[McpServerSettings, ...]
    template: Template
    folder: Path

    def allows(self, tool: str) -> bool:
        """Returns whether the persona may use a tool."""
        return tool == ALWAYS_ALLOWED or any(fnmatchcase(tool, pattern) for pattern in self.tools)

    def instructions(self, values: Mapping[str, str]) -> str:
        """Returns the instructions for a model. Equal values always yield byte-identical text.

        Args:
            values: Values for placeholders such as `{owner}`, by name; one line each.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a value is missing. The message names the file and line.
        """
        return self.template.expand(values)


def check_name(name: str) -> None:
    """Checks the name of a persona, so that the name cannot lead to another folder.

    Raises:
        AgentError: `INVALID_ARGUMENTS`.
    """
    if not _NAME.fullmatch(name):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid persona name {name!r:.60}: expected {_ALLOWED}.")


def looks_like_persona(folder: Path) -> bool:
    """Returns whether a folder contains a persona rather than shared templates."""
    return (folder / SETTINGS).exists() or (folder / _INSTRUCTIONS).exists()


def read_persona(folder: Path, pieces: Sequence[Path], shipped: Path | None = None) -> Persona:
    """Reads a persona from its folder.

    Args:
        folder: Folder of the persona, which has the persona's name.
        pieces: Folders of shared templates, which are searched after the persona's own folder.
        shipped: See `read_template`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: a file or the name of the folder is invalid. The message contains the path and
            the problem.
    """
    if not _NAME.fullmatch(folder.name):
        message = f"Invalid name of the persona folder {folder}: expected {_ALLOWED}. Rename the folder."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
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
        raise ValueError("expected one line of printable characters")
    return text


class _Settings(StrictForm):
    description: Annotated[
        str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True), AfterValidator(_one_line)
    ]
    voice: Annotated[str, StringConstraints(max_length=100, pattern=r"^[A-Za-z0-9_.-]*$")] = ""
    tools: Annotated[
        list[Annotated[str, StringConstraints(max_length=100, pattern=r"^[A-Za-z0-9_.*-]+$")]], Field(max_length=200)
    ]
