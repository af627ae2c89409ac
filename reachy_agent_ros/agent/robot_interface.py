"""Interface through which the agent uses the robot. The agent node implements it over ROS."""

from __future__ import annotations

import uuid
from typing import Protocol

from reachy_agent_ros.tools.protocol.tools import ToolSource


class RobotInterface(ToolSource, Protocol):
    """Robot as seen by the agent: its tools, its speech, and a command to hold its pose.

    All methods are called in the agent's event loop and must not block it. Cancelling a call cancels the action.
    """

    async def hold(self) -> None:
        """Holds the robot's pose immediately. Queued motions do not delay this.

        Raises:
            AgentError: The hardware bridge did not hold the pose.
        """
        ...

    async def say(self, text: str, turn_id: uuid.UUID, voice: str = "") -> None:
        """Speaks a text and waits until it has been spoken.

        Args:
            text: Text of one clause.
            turn_id: Turn of the text.
            voice: Name of a voice, empty for the configured voice.

        Raises:
            AgentError: The text was not spoken.
        """
        ...
