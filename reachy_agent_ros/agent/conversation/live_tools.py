"""The tools of a turn as they are at the moment: one that is written or switched off meanwhile counts at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agents import Tool

from reachy_agent_ros.tools.protocol.tools import ToolDescription


class LiveTools:
    """Gives agents their tools.

    Args:
        offered: Gives the tools that a model may choose from now.
        equip: Makes one of them for the SDK.
    """

    def __init__(
        self, offered: Callable[[], Sequence[ToolDescription]], equip: Callable[[ToolDescription], Tool]
    ) -> None:
        self._offered = offered
        self._equip = equip
        self._made: dict[str, tuple[ToolDescription, Tool]] = {}

    def of(self, *specialists: str) -> list[Tool]:
        """Those that specialists have now, in their order: the same objects while nothing about them changes."""
        offered = self._offered()
        return [self._tool(about) for name in specialists for about in offered if about.specialist == name]

    def has(self, name: str) -> bool:
        """Whether somebody has a tool now."""
        return any(about.name == name for about in self._offered())

    def _tool(self, about: ToolDescription) -> Tool:
        described, tool = self._made.get(about.name, (None, None))
        if tool is None or described != about:
            tool = self._equip(about)
            self._made[about.name] = about, tool
        return tool
