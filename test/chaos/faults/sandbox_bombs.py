"""Fault 25: generated tools that exhaust resources."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

import psutil
from reachy_agent_msgs.srv import TestTool

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count, happened
from corpus.hostile_tools import hostile_tool
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller

BOMBS = (
    "proc_fork_bomb",
    "proc_fork_bomb_patient",
    "flood_standard_descriptors",
    "memory_retried",
    "memory_in_threads",
)
PROOF = 120.0  # s
GROWTH = 100.0  # MB of the tool server
SETTLED = 5.0  # s without a change in the number of processes
PATIENCE = 60.0  # s


class SandboxBombs:
    """Hostile tools of test/corpus that exhaust resources.

    They report plain text instead of a canary.
    """

    number = 25
    title = "generated tools exhaust resources"
    injected = "tools that endlessly fork, write, start threads and allocate memory are submitted for verification"
    expected = "only the tool fails: the tool server does not grow and still responds, and no process remains"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Submits hostile tools, then checks that the tool server continues without growth or leftover processes."""
        proof = ServiceCaller(graph.client.node, TestTool, names.TEST_TOOL, graph.watches[names.TOOL_SERVER])
        server, before = graph.process(names.TOOL_SERVER), graph.restarts()
        children, size = _settled_children(server), server.memory_info().rss
        for bomb in random.sample(BOMBS, 3 if graph.short else len(BOMBS)):
            source = hostile_tool(bomb).text.replace("CANARY_FIRED", '"fired"')
            answer = proof.call(TestTool.Request(source=source), PROOF)
            stage = next((verdict.stage for verdict in answer.verdicts if not verdict.ok), "none")
            yield count(f"{bomb}: passed (it was stopped by: {stage})", int(answer.passed))
        yield Figure("growth of the tool server", (server.memory_info().rss - size) / 1e6, "MB", GROWTH)
        yield count("processes left behind", max(0, _settled_children(server) - children))
        yield happened("the tool server continues", server.is_running())
        yield count("restarts", sum(graph.restarts().values()) - sum(before.values()))


def _settled_children(server: psutil.Process) -> int:
    """Waits until the number of child processes is stable, and returns this number.

    The number changes while the sandbox replaces spare processes.
    """
    children, since, patience = -1, time.monotonic(), Deadline(PATIENCE)
    while time.monotonic() - since < SETTLED and not patience.passed:
        now = len(server.children(recursive=True))
        if now != children:
            children, since = now, time.monotonic()
        time.sleep(0.1)
    return children
