"""Reads which MCP servers there are from a file that a person edits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.core.strict_yaml import read_yaml
from reachy_agent_ros.mind.mcp_tools.server_settings import McpServerSettings

LARGEST_FILE = 100_000
"""Characters; a person's file is a hundredth of that."""

MOST_SERVERS = 16
"""Each is a process that runs as long as the agent does."""


def settings_path() -> Path:
    """The file of this machine's user, which may not exist."""
    return state_directory() / "mcp.yaml"


def load_servers(path: Path) -> tuple[McpServerSettings, ...]:
    """The servers of a person's file; none where there is no file.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming what is wrong with the file; no server is used then.
    """
    return read_servers(path) if path.exists() else ()


def read_servers(path: Path) -> tuple[McpServerSettings, ...]:
    """Reads a file.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming what is wrong with it.
    """
    try:
        text = path.read_text(encoding="utf-8")
        if len(text) > LARGEST_FILE:
            raise _wrong(path, f"it is longer than {LARGEST_FILE} characters")
        written = _File.model_validate(read_yaml(text))
        return tuple(_server(name, about) for name, about in written.servers.items())
    except ValidationError as error:
        complaints = (f"{_place(detail['loc'])}: {detail['msg']}" for detail in error.errors(include_input=False))
        raise _wrong(path, "; ".join(complaints)) from None
    except _ServerError as error:
        raise _wrong(path, str(error)) from None
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise _wrong(path, str(error) or "it is nested too deeply") from None


class _File(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    servers: dict[str, dict[str, Any]] = Field(default_factory=dict, max_length=MOST_SERVERS)


class _ServerError(Exception):
    """What is wrong with one server."""


def _server(name: str, about: dict[str, Any]) -> McpServerSettings:
    if "name" in about:
        raise _ServerError(f"server {name} name: its name is the key it stands under")
    try:
        return McpServerSettings.model_validate({**about, "name": name})
    except ValidationError as error:
        complaints = (f"{_place(detail['loc'])}: {detail['msg']}" for detail in error.errors(include_input=False))
        raise _ServerError("; ".join(f"server {name} {complaint}" for complaint in complaints)) from None


def _place(location: tuple[int | str, ...]) -> str:
    return " ".join(f"{part + 1}" if isinstance(part, int) else part for part in location) or "as a whole"


def _wrong(path: Path, complaint: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"The MCP servers in {path} are not used: {complaint}.")
