"""All tools there are, from wherever they come."""

from __future__ import annotations

from collections.abc import Sequence

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome, ToolSource


class Toolbox:
    """Implements `tools.protocol.tools.ToolSource` with those of several sources.

    Args:
        sources: In order: of two tools of one name the first counts, so that nobody can take the place of the
            robot's own.
    """

    def __init__(self, *sources: ToolSource) -> None:
        self._sources = sources
        self._seen: tuple[Sequence[ToolDescription], ...] = ()
        self._catalogue: tuple[ToolDescription, ...] = ()
        self._owners: dict[str, ToolSource] = {}

    def catalogue(self) -> Sequence[ToolDescription]:
        """The tools that can be called now: the same object until something changes."""
        lists = tuple(source.catalogue() for source in self._sources)
        if len(lists) != len(self._seen) or any(new is not old for new, old in zip(lists, self._seen, strict=True)):
            self._seen = lists
            self._join(lists)
        return self._catalogue

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Makes a call; every failure is an outcome."""
        self.catalogue()
        owner = self._owners.get(call.tool)
        if owner is None:
            return ToolOutcome("{}", AgentError(ErrorCode.UNKNOWN_TOOL, f"There is no tool {call.tool!r:.80}."))
        return await owner.call(call)

    def _join(self, lists: Sequence[Sequence[ToolDescription]]) -> None:
        found: dict[str, ToolDescription] = {}
        self._owners = {}
        for source, tools in zip(self._sources, lists, strict=True):
            for tool in tools:
                if tool.name not in found:
                    found[tool.name], self._owners[tool.name] = tool, source
        self._catalogue = tuple(found.values())
