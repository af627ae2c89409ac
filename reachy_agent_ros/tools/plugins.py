"""Plugins: tools from installed Python packages. Plugins are trusted code, and are found through entry points."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from reachy_agent_ros.tools.tool import Tool

GROUP = "reachy_agent_ros.tools"
"""Entry point group. Each entry point provides one `Tool` or a list of tools."""

_NAME = re.compile(r"[a-z][a-z0-9_]{2,40}")


@dataclass(frozen=True)
class Plugins:
    """Result of loading plugins: the tools and the failures.

    Attributes:
        tools: Tools of every plugin that was loaded.
        failures: A message for every plugin that failed, with its name and distribution.
    """

    tools: tuple[Tool, ...] = ()
    failures: tuple[str, ...] = ()


def load_plugins(taken: Collection[str]) -> Plugins:
    """Loads all plugins. If a plugin fails, skips all of its tools and continues with the other plugins.

    Plugins run in this process with all of its rights: installing a package is the decision to trust it.

    Args:
        taken: Names of existing tools, which no plugin may replace.
    """
    tools: dict[str, Tool] = {}
    failures = []
    for entry in sorted(entry_points(group=GROUP), key=_title):
        try:
            found = _tools_of(entry)
            _require_free(found, {*taken, *tools})
        except (Exception, SystemExit) as error:  # noqa: BLE001 - third-party code can raise anything
            failures.append(f"Skipped plugin {_title(entry)}: {error!s:.500}")
            continue
        tools.update({tool.specification.name: tool for tool in found})
    return Plugins(tuple(tools.values()), tuple(failures))


def _title(entry: EntryPoint) -> str:
    return f"{entry.name} of {entry.dist.name}" if entry.dist else entry.name


def _tools_of(entry: EntryPoint) -> list[Tool]:
    given = entry.load()
    tools = list(given) if isinstance(given, (list, tuple)) else [given]
    for tool in tools:
        if not isinstance(tool, Tool):
            raise TypeError(f"{entry.value} provides a {type(tool).__name__}: expected a Tool or a list of Tools.")
        json.dumps(tool.specification.schema)  # fails here if the schema is not valid JSON
    return tools


def _require_free(tools: Iterable[Tool], taken: set[str]) -> None:
    """Raises an error for tool names that are invalid or already in use.

    Raises:
        ValueError: The message names the tool.
    """
    for tool in tools:
        name = tool.specification.name
        if not _NAME.fullmatch(name):
            raise ValueError(f"Invalid tool name {name!r:.60}: expected a letter, then 2 to 40 of a-z, 0-9 and _.")
        if name in taken:
            raise ValueError(f"a tool named {name} already exists.")
        taken.add(name)
