"""A word to the person when the mind is gone in the middle of a turn: it cannot say so itself."""

from __future__ import annotations

from collections.abc import Callable

from reachy_agent_msgs.msg import AgentState

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatch
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

WORDS = "I am sorry, I lost my thread. Please say that again."


class Apology:
    """Follows what the agent does, and notices when it dies or hangs.

    Args:
        node: Whose executor runs the callbacks.
        say: Called with what is to be said, once for each turn that was lost.
    """

    def __init__(self, node: AgentNode, say: Callable[[str], None]) -> None:
        self._say = say
        self._in_turn = False
        self._agent = HeartbeatWatch(node, names.AGENT)
        self._agent.on_lost(self._lose)
        node.create_subscription(AgentState, names.AGENT_STATE, self._take, LATCHED)

    def _take(self, message: AgentState) -> None:
        self._in_turn = message.state == AgentState.PROCESSING

    def _lose(self) -> None:
        if self._in_turn:
            self._in_turn = False
            self._say(WORDS)
