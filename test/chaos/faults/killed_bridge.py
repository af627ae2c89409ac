"""Fault 2: bridge killed during a motion."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

from reachy_agent_msgs.msg import RobotState

from bench.recovery import LastMotion, goal_failure, hold
from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

LOOKED_AT = 3.0  # s


class KilledBridge:
    """Bridge killed during a dance. Later, during another dance, the commanding node is killed."""

    number = 2
    title = "bridge killed during a motion"
    injected = "SIGKILL to hardware_bridge during a dance, then to tool_server while it commands another dance"
    expected = "the caller gets an error within 1 s; the head stops within 0.5 s; no motion is resumed"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Kills the bridge and then the commanding node, each during a dance, and checks that the robot stops."""
        yield goal_failure(graph.client)
        graph.await_whole()
        motion, states = LastMotion(graph.client), list[RobotState]()
        graph.client.node.create_subscription(RobotState, names.ROBOT_STATE, states.append, LATCHED)
        back = time.monotonic()
        time.sleep(LOOKED_AT)
        yield count(
            "states in which the new bridge continues the dance", sum(bool(state.commander) for state in states)
        )
        yield Figure("the new bridge's head moves for", max(0.0, motion.last - back), "s", 0.5)
        yield hold(graph.client)
