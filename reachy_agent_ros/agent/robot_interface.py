"""What the mind needs from the world around it; the node provides it over ROS."""

from __future__ import annotations

import uuid
from typing import Protocol

from reachy_agent_ros.tools.protocol.tools import ToolSource


class RobotInterface(ToolSource, Protocol):
    """The robot's tools, its voice and its hold.

    All of it is called from the mind's event loop and blocks nothing; cancelling a call cancels what it started.
    """

    async def hold(self) -> None:
        """Holds the robot's pose, past every queue.

        Raises:
            AgentError: The bridge did not.
        """
        ...

    async def say(self, text: str, turn_id: uuid.UUID, voice: str = "") -> None:
        """Speaks and waits for the end.

        Args:
            text: One clause.
            turn_id: Turn it belongs to.
            voice: Name of a voice, empty for the configured one.

        Raises:
            AgentError: It was not spoken.
        """
        ...
