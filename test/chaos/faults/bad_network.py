"""Fault 18: slow and lossy network to the robot."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

from reachy_agent_msgs.action import ExecuteMotion

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.cabled_robot import cabled_robot
from chaos.faults.fault import count, happened
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message

DELAY, LOSS = 0.3, 0.05
MOTIONS = 4
LIMIT = 20.0  # s, for one motion
RECOVERY = 10.0
"""Time limit for the first successful motion after the fault, s. Half of it is for a connection attempt in progress."""


class BadNetwork:
    """A connection to the robot with high latency and packet loss."""

    number = 18
    title = "slow, lossy network to the robot"
    injected = "a daemon in a network namespace; each packet is delayed by 300 ms and one in twenty is lost"
    expected = "each motion succeeds or ends with an error that gives the reason; the bridge keeps running and recovers"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Executes motions over the slow network, then measures the recovery."""
        with cabled_robot(random) as (cable, link):
            motions = ActionCaller(link.client.node, ExecuteMotion, names.EXECUTE_MOTION, link.bridge)
            cable.delay, cable.loss = DELAY, LOSS
            ends = [_end(motions, random.uniform(-0.4, 0.4)) for _ in range(MOTIONS)]
            others = ", ".join(sorted({end for end in ends if end})) or "none"
            yield Figure(f"motions of {MOTIONS} that succeeded (errors: {others})", ends.count(""), "")
            yield count("motions that hung", ends.count("TIMEOUT"))
            cable.delay = cable.loss = 0.0
            yield Figure("from then on, until a motion has ended well", _seconds_to_a_motion(motions), "s", RECOVERY)
            yield happened("the bridge lives", link.bridge.alive)


def _seconds_to_a_motion(motions: ActionCaller) -> float:
    """Returns the time (s) until a motion succeeds. A result above `RECOVERY` means that no motion succeeded."""
    began = time.monotonic()
    while _end(motions, 0.2) and time.monotonic() - began <= RECOVERY:
        time.sleep(0.1)
    return time.monotonic() - began


def _end(motions: ActionCaller, yaw: float) -> str:
    """Executes a motion. Returns the name of its error, or an empty string on success."""
    goal = ExecuteMotion.Goal(kind=ExecuteMotion.Goal.POSE, commander="campaign", set_head=True)
    goal.head_pose = pose_message(head_transform(yaw=yaw))
    try:
        code = motions.call(goal, LIMIT).error_code
    except AgentError as error:
        return error.code.name
    return "" if code == 0 else f"error {code}"
