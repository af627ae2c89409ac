"""Reads a persona from its folder: `persona.yaml`, `instructions.md`, and `mcp.yaml` if it brings servers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from reachy_agent_ros.agent.mcp_tools.server_settings import load_servers
from reachy_agent_ros.agent.personas.persona import Persona
from reachy_agent_ros.agent.personas.template import read_template
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form

SETTINGS = "persona.yaml"
INSTRUCTIONS = "instructions.md"
SERVERS = "mcp.yaml"

LARGEST_SETTINGS = 20_000
"""Bytes of `persona.yaml`."""

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


def check_name(name: str) -> None:
    """Checks what a persona is to be called. No such name leads out of a folder.

    Raises:
        AgentError: `INVALID_ARGUMENTS`.
    """
    if not _NAME.fullmatch(name):
        allowed = "1 to 40 lower-case letters, digits, - and _, a letter first"
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name!r:.60} cannot be a persona's name, which is {allowed}.")


def looks_like_persona(folder: Path) -> bool:
    """Whether somebody meant it to be one; a folder of shared pieces is none."""
    return (folder / SETTINGS).exists() or (folder / INSTRUCTIONS).exists()


def read_persona(folder: Path, pieces: Sequence[Path], shipped: Path | None = None) -> Persona:
    """Reads a folder.

    Args:
        folder: Its name is the persona's.
        pieces: Folders to include from, after its own.
        shipped: As for `read_template`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming the file and what is wrong with it.
    """
    check_name(folder.name)
    root = None if folder.parent == shipped else folder.parent
    settings = read_form(folder / SETTINGS, _Settings, LARGEST_SETTINGS, root=root)
    return Persona(
        name=folder.name,
        description=settings.description,
        voice=settings.voice,
        tools=tuple(settings.tools),
        servers=load_servers(folder / SERVERS, root),
        template=read_template(folder / INSTRUCTIONS, (folder, *pieces), shipped),
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
