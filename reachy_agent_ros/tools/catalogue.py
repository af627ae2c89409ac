"""Catalog of the available tools. Each tool is enabled or disabled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolOrigin
from reachy_agent_ros.tools.tool import Tool


@dataclass(frozen=True)
class CatalogueEntry:
    """Catalog entry of a tool.

    Attributes:
        tool: The tool.
        enabled: Whether the tool may be called.
    """

    tool: Tool
    enabled: bool = True


class ToolCatalogue:
    """Thread-safe catalog of tools by name.

    Args:
        tools: Initial tools, all enabled.
    """

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._lock = threading.Lock()
        self._entries = {tool.specification.name: CatalogueEntry(tool) for tool in tools}
        self._revision = 0
        self._on_change: list[Callable[[], None]] = []

    @property
    def revision(self) -> int:
        """Number of changes since the creation of the catalog."""
        return self._revision

    def entries(self) -> list[CatalogueEntry]:
        """Returns all entries sorted by name, including disabled ones."""
        with self._lock:
            return [self._entries[name] for name in sorted(self._entries)]

    def find(self, name: str) -> Tool:
        """Returns an enabled tool by name.

        Raises:
            AgentError: `UNKNOWN_TOOL` (the message lists similar names, or else all names) or `TOOL_DISABLED`.
        """
        with self._lock:
            entry = self._entry(name)
        if not entry.enabled:
            raise AgentError(ErrorCode.TOOL_DISABLED, f"The tool {name} is disabled.")
        return entry.tool

    def origin(self, name: str) -> ToolOrigin | None:
        """Returns the origin of a tool, or None if no tool has this name."""
        with self._lock:
            entry = self._entries.get(name)
        return None if entry is None else entry.tool.specification.origin

    def put(self, tool: Tool, enabled: bool = True) -> None:
        """Adds a tool, or replaces the tool with the same name."""
        with self._lock:
            self._entries[tool.specification.name] = CatalogueEntry(tool, enabled)
            self._revision += 1
        self._notify()

    def remove(self, name: str) -> None:
        """Removes a tool. Its running calls continue.

        Raises:
            AgentError: `UNKNOWN_TOOL`.
        """
        with self._lock:
            self._entry(name)
            del self._entries[name]
            self._revision += 1
        self._notify()

    def set_enabled(self, name: str, enabled: bool) -> None:
        """Enables or disables a tool.

        Raises:
            AgentError: `UNKNOWN_TOOL`.
        """
        with self._lock:
            self._entries[name] = CatalogueEntry(self._entry(name).tool, enabled)
            self._revision += 1
        self._notify()

    def on_change(self, callback: Callable[[], None]) -> None:
        """Registers a callback that runs after every change, in the thread that made the change."""
        self._on_change.append(callback)

    def _notify(self) -> None:
        for callback in self._on_change:
            callback()

    def _entry(self, name: str) -> CatalogueEntry:
        if name in self._entries:
            return self._entries[name]
        alike = get_close_matches(name, self._entries, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(alike)}?" if alike else f"available: {', '.join(sorted(self._entries))}."
        raise AgentError(ErrorCode.UNKNOWN_TOOL, f"There is no tool {name!r}; {hint}")
