"""Reads which MCP servers there are from a file that a person edits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form

LARGEST_FILE = 100_000
"""Bytes; a person's file is a hundredth of that."""

MOST_SERVERS = 16
"""Each is a process that runs as long as the agent does."""


def settings_path() -> Path:
    """The file of this machine's user, which may not exist."""
    return state_directory() / "mcp.yaml"


def load_servers(path: Path, root: Path | None = None) -> tuple[McpServerSettings, ...]:
    """The servers of a person's file; none where there is no file.

    Args:
        path: The file.
        root: As for `storage.text_file.read_text`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming what is wrong with the file; no server is used then.
    """
    return read_servers(path, root) if os.path.lexists(path) else ()


def read_servers(path: Path, root: Path | None = None) -> tuple[McpServerSettings, ...]:
    """Reads a file; arguments as for `load_servers`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming what is wrong with it.
    """
    return tuple(read_form(path, _File, LARGEST_FILE, "The MCP servers are not used", root).servers.values())


def _named(servers: Any) -> Any:
    """The servers with the names under which they stand."""
    if not isinstance(servers, dict):
        return servers
    for name, about in servers.items():
        if isinstance(about, dict) and "name" in about:
            raise ValueError(f"{name} has a name, but its name is the key it stands under")
    return {name: {**about, "name": name} if isinstance(about, dict) else about for name, about in servers.items()}


class _File(StrictForm):
    servers: Annotated[dict[str, McpServerSettings], BeforeValidator(_named)] = Field({}, max_length=MOST_SERVERS)
