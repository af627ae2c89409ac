"""Reads a persona from its folder: `persona.yaml`, `instructions.md`, and `mcp.yaml` if it brings servers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.strict_yaml import read_yaml
from reachy_agent_ros.mind.mcp_tools.settings_file import load_servers
from reachy_agent_ros.mind.personas.persona import Persona
from reachy_agent_ros.mind.personas.template import read_template
from reachy_agent_ros.mind.personas.text_file import read_text

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


def read_persona(folder: Path, pieces: Sequence[Path]) -> Persona:
    """Reads a folder.

    Args:
        folder: Its name is the persona's.
        pieces: Folders to include from, after its own.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming the file and what is wrong with it.
    """
    check_name(folder.name)
    settings = _read_settings(folder / SETTINGS)
    return Persona(
        name=folder.name,
        description=settings.description,
        voice=settings.voice,
        tools=tuple(settings.tools),
        servers=load_servers(folder / SERVERS),
        template=read_template(folder / INSTRUCTIONS, (folder, *pieces)),
        folder=folder,
    )


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("it must be one line that can be printed")
    return text


class _Settings(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    description: Annotated[
        str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True), AfterValidator(_one_line)
    ]
    voice: Annotated[str, StringConstraints(max_length=100, pattern=r"^[A-Za-z0-9_.-]*$")] = ""
    tools: Annotated[
        list[Annotated[str, StringConstraints(max_length=100, pattern=r"^[A-Za-z0-9_.*-]+$")]], Field(max_length=200)
    ]


def _read_settings(path: Path) -> _Settings:
    text = read_text(path, LARGEST_SETTINGS)
    try:
        return _Settings.model_validate(read_yaml(text))
    except ValidationError as error:
        complaints = "; ".join(f"{_place(detail['loc'])}: {detail['msg']}" for detail in error.errors())
        raise _wrong(path, complaints) from None
    except RecursionError:
        raise _wrong(path, "it is nested too deeply") from None
    except (ValueError, yaml.YAMLError) as error:
        raise _wrong(path, " ".join(str(error).split())) from None


def _place(location: tuple[Any, ...]) -> str:
    """Where in the file, counting from 1."""
    return " ".join(str(part + 1) if isinstance(part, int) else part for part in location) or "the file"


def _wrong(path: Path, complaint: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path}: {complaint}.")
