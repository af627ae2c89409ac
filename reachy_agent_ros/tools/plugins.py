"""Plugins: tools of installed Python packages, which are trusted code, found by their entry points."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from reachy_agent_ros.tools.tool import Tool

GROUP = "reachy_agent_ros.tools"
"""Entry points of this group each give one `Tool`, or a list of them."""

_NAME = re.compile(r"[a-z][a-z0-9_]{2,40}")


@dataclass(frozen=True)
class Plugins:
    """Plugins that are installed.

    Attributes:
        tools: Those of every plugin that was loaded.
        failures: A sentence for every other one, with its name and that of its distribution.
    """

    tools: tuple[Tool, ...] = ()
    failures: tuple[str, ...] = ()


def load_plugins(taken: Collection[str]) -> Plugins:
    """Loads every plugin. One that fails is left out with all of its tools; the others are still loaded.

    They run in this process with all of its rights: installing a package is the decision to trust it.

    Args:
        taken: Names of the tools that exist; no plugin may take their place.
    """
    tools: dict[str, Tool] = {}
    failures = []
    for entry in sorted(entry_points(group=GROUP), key=_title):
        try:
            found = _tools_of(entry)
            _require_free(found, {*taken, *tools})
        except (Exception, SystemExit) as error:  # noqa: BLE001 - code of strangers raises anything
            failures.append(f"The plugin {_title(entry)} is left out: {error!s:.500}")
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
            raise TypeError(f"{entry.value} gives a {type(tool).__name__}, not a Tool or a list of them.")
        json.dumps(tool.specification.schema)  # fails here if it cannot be described
    return tools


def _require_free(tools: Iterable[Tool], taken: set[str]) -> None:
    """Refuses an invalid name, and the name of another tool.

    Raises:
        ValueError: Naming the tool.
    """
    for tool in tools:
        name = tool.specification.name
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r:.60} is no name of a tool: 3 to 41 lower-case letters, digits and _.")
        if name in taken:
            raise ValueError(f"there is a tool {name} already.")
        taken.add(name)
