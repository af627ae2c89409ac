"""Fault 18."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from campaign_graph import CampaignGraph
from reachy_agent_msgs.action import ExecuteMotion
from report import Figure

from faults.cabled_robot import cabled_robot
from faults.fault import count, happened
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.nodes.calls import ActionCaller
from reachy_agent_ros.nodes.convert import pose_message

DELAY, LOSS = 0.3, 0.05
MOTIONS = 4
LIMIT = 20.0  # s for one
RECOVERY = 30.0  # s


class BadNetwork:
    """Everything still comes, late."""

    number = 18
    title = "the network to the robot is bad"
    injected = "a daemon in a network namespace of its own, each packet 300 ms late and one of twenty lost"
    expected = "motions end well or in an error that says why, none hangs; the bridge lives, and all is well afterwards"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Implements `Fault`."""
        with cabled_robot(random) as (cable, link):
            motions = ActionCaller(link.client.node, ExecuteMotion, names.EXECUTE_MOTION, link.bridge)
            cable.delay, cable.loss = DELAY, LOSS
            ends = [_end(motions, random.uniform(-0.4, 0.4)) for _ in range(MOTIONS)]
            yield Figure("motions that ended well meanwhile", ends.count(""), "")
            yield count("motions that hung", ends.count("TIMEOUT"))
            cable.delay = cable.loss = 0.0
            link.seconds_until(lambda: link.connected, RECOVERY)
            end = _end(motions, 0.2)
            yield happened(f"afterwards a motion ends well ({end or 'it does'})", not end)
            yield happened("the bridge lives", link.bridge.alive)


def _end(motions: ActionCaller, yaw: float) -> str:
    """Name of the error that a motion ends with; empty for none."""
    goal = ExecuteMotion.Goal(kind=ExecuteMotion.Goal.POSE, commander="campaign", set_head=True)
    goal.head_pose = pose_message(head_transform(yaw=yaw))
    try:
        code = motions.call(goal, LIMIT).error_code
    except AgentError as error:
        return error.code.name
    return "" if code == 0 else f"error {code}"
