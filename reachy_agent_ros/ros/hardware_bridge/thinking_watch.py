"""Whether the agent works on something, as the body sees it."""

from __future__ import annotations

from collections.abc import Callable

from reachy_agent_msgs.msg import AgentState

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatch
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

PERIOD = 1.5
"""Seconds between two looks at whether the agent lives."""

_THINKING = (AgentState.PROCESSING, AgentState.WAITING_FOR_APPROVAL)


class ThinkingWatch:
    """Follows the agent's state for as long as the agent lives: the state of a dead one stays what it was last.

    Args:
        node: Whose executor runs the callbacks.
        tell: Called with whether it thinks, again and again while it is dead.
    """

    def __init__(self, node: AgentNode, tell: Callable[[bool], None]) -> None:
        self._tell = tell
        self._agent = HeartbeatWatch(node, names.AGENT)
        node.create_subscription(AgentState, names.AGENT_STATE, self._take, LATCHED)
        node.every(PERIOD, self._forget_the_dead)

    def _take(self, message: AgentState) -> None:
        self._tell(message.state in _THINKING)

    def _forget_the_dead(self) -> None:
        if not self._agent.alive:
            self._tell(False)
