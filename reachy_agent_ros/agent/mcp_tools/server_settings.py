"""MCP server settings: how each server is reached, what of it is used, and the file that lists the servers."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, field_validator, model_validator

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH", re.IGNORECASE)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")

ServerName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,23}$")]
"""Without an underscore, so that the first one in a tool's name ends the server's."""

LARGEST_FILE = 100_000
"""Bytes; a person's file is a hundredth of that."""

MOST_SERVERS = 16
"""Each is a process that runs as long as the agent does."""


class McpServerSettings(BaseModel):
    """One entry of a person's file; secrets are in the environment and only named here.

    Attributes:
        name: Begins the names of its tools.
        command: Program that speaks MCP over standard input and output.
        args: Its arguments.
        env: Variables of its environment; "${NAME}" stands for a variable of ours.
        url: Of a server that speaks streamable HTTP, where there is no command.
        headers: Of every request; each must name a variable of ours, because what is written here is no secret.
        time_limit: Longest a call may take, s.
        tools: The tools that may be used, None for all.
        specialist: Agent that uses them.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)

    name: ServerName
    command: Annotated[str, StringConstraints(min_length=1)] | None = None
    args: tuple[str, ...] = Field(default=(), strict=False)
    env: dict[str, str] = Field(default_factory=dict)
    url: str | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    time_limit: Annotated[float, BeforeValidator(lambda value: _number(value)), Field(gt=0.0, le=600.0)] = 30.0
    tools: Annotated[tuple[str, ...], Field(min_length=1, strict=False)] | None = None
    specialist: Literal["robot", "vision", "web", "code", "memory"] = "code"

    @field_validator("url")
    @classmethod
    def _safe_url(cls, url: str | None) -> str | None:
        parts = urlsplit(url or "https://none")
        if parts.username or parts.password or parts.query:
            raise ValueError("it holds a name, a password or a query; secrets belong into headers")
        if not parts.hostname or parts.scheme not in ("http", "https"):
            raise ValueError("it must begin with https:// and a host")
        if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
            raise ValueError("beyond this machine it must be https")
        return url

    @field_validator("headers")
    @classmethod
    def _headers_from_environment(cls, headers: dict[str, str]) -> dict[str, str]:
        for name, value in headers.items():
            if not _REFERENCE.search(value):
                raise ValueError(f"{name} must name a variable of the environment, as in 'Bearer ${{MY_TOKEN}}'")
        return headers

    @field_validator("env")
    @classmethod
    def _secrets_from_environment(cls, env: dict[str, str]) -> dict[str, str]:
        for name, value in env.items():
            if _SECRET_NAME.search(name) and not _REFERENCE.search(value):
                raise ValueError(f"{name} looks like a secret and must name a variable, as in '${{{name}}}'")
        return env

    @model_validator(mode="after")
    def _one_way(self) -> McpServerSettings:
        if (self.command is None) == (self.url is None):
            raise ValueError("it needs either a 'command' or a 'url'")
        if self.command is None and (self.args or self.env):
            raise ValueError("'args' and 'env' belong to a 'command'")
        if self.url is None and self.headers:
            raise ValueError("'headers' belong to a 'url'")
        return self

    def allows(self, tool: str) -> bool:
        """Whether a tool of the server, by the server's own name of it, may be used."""
        return self.tools is None or tool in self.tools

    def environment(self) -> dict[str, str]:
        """The variables for the server, with ours put in.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: one that is named is not set.
        """
        return self._resolved(self.env)

    def http_headers(self) -> dict[str, str]:
        """The headers, with our variables put in.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: one that is named is not set.
        """
        return self._resolved(self.headers)

    def hide(self, text: str) -> str:
        """The text without the values of the variables that are named here, for logs and for people."""
        written = (*self.env.values(), *self.headers.values())
        values = {os.environ.get(name, "") for value in written for name in _REFERENCE.findall(value)}
        for value in sorted(values - {""}, key=len, reverse=True):
            text = text.replace(value, "***")
        return text

    def _resolved(self, written: Mapping[str, str]) -> dict[str, str]:
        return {key: _REFERENCE.sub(self._variable, value) for key, value in written.items()}

    def _variable(self, reference: re.Match[str]) -> str:
        value = os.environ.get(reference[1])
        if not value:
            message = f"The MCP server {self.name} needs the environment variable {reference[1]}, which is not set."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        return value


def settings_path() -> Path:
    """The file of this machine's user, which may not exist."""
    return state_directory() / "mcp.yaml"


def load_servers(path: Path, root: Path | None = None) -> tuple[McpServerSettings, ...]:
    """The servers of a person's file; none where there is no file.

    Args:
        path: The file.
        root: As for `core.contained_file.read_text`.

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


def _number(value: object) -> object:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
