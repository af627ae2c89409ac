"""Every call of a tool as an act on `acts`, done in the manner that people have taught."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from reachy_agent_ros.learning.correction.habits import Habits
from reachy_agent_ros.learning.correction.looked_at import LookedAt
from reachy_agent_ros.learning.correction.performance import PERFORMED, performed
from reachy_agent_ros.ros.rclpy_ext.act_log import ActLog
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.tools.call import ToolRequest
from reachy_agent_ros.tools.manner import Manner


class Performances:
    """Publishes an act for every call, and a second one within it where a skill decides how it is done.

    Args:
        node: Publishes and warns.
        policies: Folder of what was taught.
    """

    def __init__(self, node: AgentNode, policies: Path) -> None:
        self._log = ActLog(node)
        self._habits = Habits(policies, PERFORMED, node.get_logger().warning)
        self._looked_at = LookedAt()

    @property
    def problem(self) -> str:
        """Why what was taught does not count, a sentence; empty where it does."""
        return self._habits.problem

    def perform(self, request: ToolRequest) -> AbstractContextManager[Manner]:
        """Surrounds the work of one call; a `tools.manner.Perform`."""
        return performed(request, self._log, self._habits, self._looked_at)
