"""Fault 5: action server killed during a goal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bench.recovery import killed_in_motion
from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from reachy_agent_ros.core import names


class KilledActionServer:
    """Killed action server. With plain rclpy, a running goal would stay pending forever."""

    number = 5
    title = "action server killed while it serves a goal"
    injected = "SIGKILL to tool_server while it serves a dance"
    expected = "the caller gets an error within 1 s"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Kills the tool server during a motion, and measures the time until the goal fails."""
        killed, told = killed_in_motion(graph.client, names.TOOL_SERVER)
        yield Figure("SIGKILL to the goal's error", told - killed, "s", 1.0)
