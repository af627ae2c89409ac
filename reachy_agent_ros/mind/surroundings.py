"""What the mind needs from the world around it; the node provides it over ROS."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Protocol

from reachy_agent_ros.mind.tools import ToolDescription, ToolOutcome


class Surroundings(Protocol):
    """All of it is called from the mind's event loop and blocks nothing; cancelling a call cancels what it started."""

    def catalogue(self) -> Sequence[ToolDescription]:
        """The tools that can be called now."""
        ...

    async def call_tool(
        self, name: str, arguments_json: str, turn_id: uuid.UUID, approval_id: uuid.UUID | None
    ) -> ToolOutcome:
        """Calls a tool; every failure is an outcome."""
        ...

    async def hold(self) -> None:
        """Holds the robot's pose, past every queue.

        Raises:
            AgentError: The bridge did not.
        """
        ...

    async def say(self, text: str, turn_id: uuid.UUID) -> None:
        """Speaks and waits for the end.

        Raises:
            AgentError: It was not spoken.
        """
        ...
