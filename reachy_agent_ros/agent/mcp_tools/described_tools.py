"""Validation of tool descriptions from MCP servers: names, texts and JSON schemas.

The resulting names are valid for every model, and no tool can replace another. The schemas are safe for checking
arguments and for prompts.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from mcp_types import Tool
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.agent.provenance.words import texts_in
from reachy_agent_ros.agent.terminal_text import truncated
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.instructions_in_data import instructions_in
from reachy_agent_ros.core.strict_json import unambiguous_json
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin

MOST_TOOLS = 40
"""Maximum number of tools of one server: more would distract a model from the robot's own tools."""

MOST_LOOKED_AT = 200
"""Maximum number of listed tools that are checked. Each check takes a millisecond."""

LONGEST_NAME = 64
"""Maximum length of a name at OpenAI-compatible endpoints, characters."""

LARGEST_SCHEMA = 20_000
"""Maximum length of a schema, characters. All tools of all servers share the model's context."""

LONGEST_DESCRIPTION = 600
"""Maximum length of a tool's description, characters."""

_LONGEST_ARGUMENT_DESCRIPTION = 300
"""Maximum length of an argument's description, characters."""

_LONGEST_READ = 5_000
"""Maximum number of characters of a description that are searched for instructions."""

_HONEST = frozenset({"tool call"})
"""Kinds of instructions that are legitimate in tool descriptions."""

_INVALID = re.compile(r"[^A-Za-z0-9_-]")
_MARK = 8

_DEAF = ("pattern", "patternProperties", "$dynamicRef", "$recursiveRef", "$schema", "$id", "id", "$anchor")
"""Keywords that only the server checks: matching an untrusted pattern may not terminate, and named schemas change the
meaning of references."""


@dataclass(frozen=True)
class DescribedTools:
    """Tools of a server that the agent can use.

    Attributes:
        tools: Descriptions by the name that the server uses.
        complaint: Reasons why other tools cannot be used, for people; empty if all can be used.
    """

    tools: Mapping[str, ToolDescription]
    complaint: str


def described_tools(settings: McpServerSettings, listed: Sequence[Tool]) -> DescribedTools:
    """Selects the usable tools from a server's list, in its order.

    Args:
        settings: Settings of the server.
        listed: Tools that the server lists.
    """
    found: dict[str, ToolDescription] = {}
    left_out: list[str] = []
    for tool in [tool for tool in listed if settings.allows(tool.name)][:MOST_LOOKED_AT]:
        if tool.name in found:
            continue
        if len(found) == MOST_TOOLS:
            left_out.append(f"only {MOST_TOOLS} tools per server are used (list those you want under 'tools')")
            break
        try:
            found[tool.name] = _described(settings, tool)
        except AgentError as error:
            left_out.append(f"the tool {tool.name!r:.80}: {error.message}")
    missing = sorted(set(settings.tools or ()) - {tool.name for tool in listed})
    left_out += [f"it has no tool {name!r:.80}" for name in missing]
    complaint = f"Problems with the MCP server {settings.name}: {'; '.join(left_out)}."[:1000] if left_out else ""
    return DescribedTools(found, complaint)


def tool_name(server: str, tool: str) -> str:
    """Returns a unique and valid name for a tool of a server.

    Invalid characters are replaced and long names truncated; a digest of the original name then keeps the name unique.
    Permissions are granted by name, so a server must not get another tool's permissions with a similar name.

    Args:
        server: Name of the server, without underscores.
        tool: Name of the tool on the server.
    """
    name = f"{server}_{_INVALID.sub('_', tool)}"
    if name == f"{server}_{tool}" and tool and len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(tool.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    return f"{name[: LONGEST_NAME - _MARK - 1]}-{digest}"


def safe_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a server's JSON schema for tool arguments in a simplified form.

    Args:
        schema: Schema from the server.

    Raises:
        AgentError: `VALIDATION_FAILED`: the schema cannot be used. The message gives the reason.
    """
    try:
        written = json.dumps(schema)
        if len(written) > LARGEST_SCHEMA:
            raise _unusable(f"it is longer than {LARGEST_SCHEMA} characters")
        unambiguous_json(written)
        Draft202012Validator.check_schema(schema)
        safe = _cleaned(schema)
    except SchemaError as error:
        raise _unusable(f"{error.message:.120}") from None
    except (TypeError, ValueError, RecursionError):
        raise _unusable("it is not JSON, contains a number that is too large, or is nested too deeply") from None
    if not isinstance(safe, dict) or safe.get("type") != "object":
        raise _unusable("it does not describe an object")
    if not all(isinstance(about, dict) for about in safe.get("properties", {}).values()):
        raise _unusable("it does not describe every argument")
    try:
        resolver = Registry().with_resource("", DRAFT202012.create_resource(safe)).resolver()
        for reference in _references(safe):
            resolver.lookup(reference)
    except Unresolvable:
        raise _unusable("it refers to something outside the schema") from None
    return safe


def _described(settings: McpServerSettings, tool: Tool) -> ToolDescription:
    schema = safe_schema(tool.input_schema)
    description = _plain((tool.description or "")[:_LONGEST_READ])
    written = "\n".join((tool.name, (tool.description or "")[:_LONGEST_READ], *texts_in(schema)))
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
        origin=ToolOrigin.EXTERNAL,
        specialist=settings.specialist,
        untrusted_output=True,
    )


def _plain(text: str) -> str:
    """Joins the lines of a text, removes its invisible characters and limits its length."""
    visible = "".join(letter for letter in text if letter.isspace() or unicodedata.category(letter)[0] != "C")
    return truncated(" ".join(visible.split()), LONGEST_DESCRIPTION)


def _cleaned(value: Any) -> Any:
    """Returns a schema without patterns and titles, and with short descriptions. Keeps all argument names."""
    if isinstance(value, list):
        return [_cleaned(content) for content in value]
    if not isinstance(value, Mapping):
        return value
    clean: dict[str, Any] = {}
    for key, content in value.items():
        if key in ("properties", "$defs", "definitions") and isinstance(content, Mapping):
            clean[key] = {name: _cleaned(about) for name, about in content.items()}
        elif key == "description" and isinstance(content, str):
            clean[key] = " ".join(content.split())[:_LONGEST_ARGUMENT_DESCRIPTION]
        elif key in ("default", "const", "enum", "examples", "required"):
            clean[key] = content
        elif key not in (*_DEAF, "title"):
            clean[key] = _cleaned(content)
    return clean


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for content in value.values():
            yield from _references(content)
    elif isinstance(value, list):
        for content in value:
            yield from _references(content)


def _unusable(complaint: str) -> AgentError:
    return AgentError(ErrorCode.VALIDATION_FAILED, f"left out, because its schema cannot be used: {complaint}")
