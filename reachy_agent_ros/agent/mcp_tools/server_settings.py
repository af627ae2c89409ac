"""Settings of MCP servers, and the file that lists them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, field_validator, model_validator

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH", re.IGNORECASE)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")

ServerName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,23}$")]
"""Name of a server, without an underscore: the first underscore in a tool's name separates the two names."""

LARGEST_FILE = 100_000
"""Maximum size of the file, bytes. A handwritten file has about a hundredth of this size."""

MOST_SERVERS = 16
"""Maximum number of servers, each of which may be a process that runs as long as the agent."""


class McpServerSettings(BaseModel):
    """Settings of one server. The settings refer to secrets by the names of environment variables.

    Attributes:
        name: Name of the server, the prefix of its tools' names.
        command: Program that speaks MCP over standard input and output.
        args: Arguments of the program.
        env: Environment variables of the program; "${NAME}" is replaced by a variable of the agent's environment.
        url: URL of a server that speaks streamable HTTP, instead of a command.
        headers: Headers of every request. Each must refer to an environment variable, because the file is not secret.
        time_limit: Time limit of a call, s.
        tools: Names of the tools that may be used, None for all.
        specialist: Agent that uses the tools.
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
            raise ValueError("the URL must not contain a user, a password or a query; put secrets into headers")
        if not parts.hostname or parts.scheme not in ("http", "https"):
            raise ValueError("the URL must begin with https:// and a host")
        if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
            raise ValueError("the URL of another machine must begin with https://")
        return url

    @field_validator("headers")
    @classmethod
    def _headers_from_environment(cls, headers: dict[str, str]) -> dict[str, str]:
        for name, value in headers.items():
            if not _REFERENCE.search(value):
                raise ValueError(f"{name} must refer to an environment variable, as in 'Bearer ${{MY_TOKEN}}'")
        return headers

    @field_validator("env")
    @classmethod
    def _secrets_from_environment(cls, env: dict[str, str]) -> dict[str, str]:
        for name, value in env.items():
            if _SECRET_NAME.search(name) and not _REFERENCE.search(value):
                raise ValueError(f"{name} looks like a secret and must refer to a variable, as in '${{{name}}}'")
        return env

    @model_validator(mode="after")
    def _one_way(self) -> McpServerSettings:
        if (self.command is None) == (self.url is None):
            raise ValueError("expected either a 'command' or a 'url'")
        if self.command is None and (self.args or self.env):
            raise ValueError("'args' and 'env' need a 'command'")
        if self.url is None and self.headers:
            raise ValueError("'headers' need a 'url'")
        return self

    def allows(self, tool: str) -> bool:
        """Returns whether a tool with the given name on the server may be used."""
        return self.tools is None or tool in self.tools

    def environment(self) -> dict[str, str]:
        """Returns the environment variables for the server process, with references to other variables resolved.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a referenced variable is not set.
        """
        return self._resolved(self.env)

    def http_headers(self) -> dict[str, str]:
        """Returns the HTTP headers, with references to environment variables resolved.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a referenced variable is not set.
        """
        return self._resolved(self.headers)

    def hide(self, text: str) -> str:
        """Masks the values of referenced environment variables in a text that is logged or displayed."""
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


FILE_NAME = "mcp.yaml"
"""Name of the settings file in the state directory."""


def load_servers(path: Path, root: Path | None = None) -> tuple[McpServerSettings, ...]:
    """Reads the server settings from a file; returns an empty tuple if the file does not exist.

    Args:
        path: Path of the file.
        root: See `core.contained_file.read_text`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file is invalid, and no server is used. The message names the problem.
    """
    return read_servers(path, root) if os.path.lexists(path) else ()


def read_servers(path: Path, root: Path | None = None) -> tuple[McpServerSettings, ...]:
    """Reads the server settings from a file that must exist. See `load_servers` for the arguments.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file is invalid or missing. The message names the problem.
    """
    return tuple(read_form(path, _File, LARGEST_FILE, "The MCP servers are not used", root).servers.values())


def _named(servers: Any) -> Any:
    """Sets the `name` of each server to its key in the file."""
    if not isinstance(servers, dict):
        return servers
    for name, about in servers.items():
        if isinstance(about, dict) and "name" in about:
            raise ValueError(f"remove the field 'name' from {name}: its key is already the name")
    return {name: {**about, "name": name} if isinstance(about, dict) else about for name, about in servers.items()}


class _File(StrictForm):
    servers: Annotated[dict[str, McpServerSettings], BeforeValidator(_named)] = Field({}, max_length=MOST_SERVERS)


def _number(value: object) -> object:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
