"""Cancels goals whose caller has left the graph, for example because its process was killed."""

from __future__ import annotations

import time

from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.goal import Goal
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatch

LOOK_PERIOD = 1.0
"""s between two looks at the graph while there are goals."""

DISCOVERY_TIME = 10.0
"""s from a goal's acceptance in which its node must be found in the graph; on an idle machine it takes milliseconds."""


class CallerWatch:
    """Cancels the goals of nodes that have left the graph.

    A killed process does not say goodbye: the middleware removes its nodes when it was silent for `dds_profile.LEASE`.
    The gateway has a heartbeat, which stops sooner, and with it ended the connections of those who asked.

    Args:
        node: Node that serves the goals.

    Attributes:
        gateway: Watches the gateway's heartbeat.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._goals: set[Goal] = set()
        self._present: set[str] = set()
        self.gateway = HeartbeatWatch(node, names.GATEWAY)
        gateway = f"{node.get_namespace().rstrip('/')}/{names.GATEWAY}"
        self.gateway.on_lost(lambda: self._end({gateway}))
        node.create_timer(LOOK_PERIOD, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def add(self, goal: Goal) -> None:
        """Watches the caller of a goal, if the goal names the node of its caller."""
        if goal.request.caller_node:
            self._goals.add(goal)

    def discard(self, goal: Goal) -> None:
        """Forgets a goal that has ended, from any thread."""
        self._goals.discard(goal)

    def _look(self) -> None:
        if not self._goals:
            self._present = set()
            return
        before, self._present = self._present, set(self._node.get_fully_qualified_node_names())
        late = {goal.request.caller_node for goal in self._goals.copy() if _is_old(goal)}
        self._end((before | late) - self._present)

    def _end(self, gone: set[str]) -> None:
        for goal in self._goals.copy():
            if goal.request.caller_node in gone:
                goal.cancel.cancel()


def _is_old(goal: Goal) -> bool:
    return time.monotonic() - goal.accepted > DISCOVERY_TIME
