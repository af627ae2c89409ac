"""Repetition of what a person says next: the tool `repeat_after_me`."""

from __future__ import annotations

from typing import Any

from reachy_agent_ros.agent.toolbox.toolbox import OwnTool
from reachy_agent_ros.core.arguments import NoArguments
from reachy_agent_ros.tools.protocol.tools import ToolCall

GO_AHEAD = "Go ahead, I will repeat your next sentence."


class Repetition:
    """Remembers in which conversations the robot repeats the next sentence. Not thread-safe: use from one event loop.

    Attributes:
        tool: Tool `repeat_after_me`.
    """

    def __init__(self) -> None:
        self._due: set[str] = set()
        self.tool: OwnTool[Any] = OwnTool(
            "repeat_after_me",
            "Makes the robot repeat the person's next sentence aloud, word for word.",
            NoArguments,
            self._begin,
            specialist="coordinator",
        )

    def due(self, session_id: str) -> bool:
        """Returns whether the next sentence of a conversation is to be repeated. The answer is True only once."""
        is_due = session_id in self._due
        self._due.discard(session_id)
        return is_due

    async def _begin(self, _arguments: NoArguments, call: ToolCall) -> dict[str, Any]:
        self._due.add(call.session_id)
        return {"sentence": GO_AHEAD}
