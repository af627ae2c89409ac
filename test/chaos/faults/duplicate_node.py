"""Fault 6: second instance of a running node."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count, happened
from reachy_agent_ros.core import names

PATIENCE = 60.0  # s, for the second process to exit


class DuplicateNode:
    """A second instance of a node.

    DDS itself would let both instances run and publish.
    """

    number = 6
    title = "node started twice"
    injected = "a second process of a random node, with the same name"
    expected = "the second exits and reports that the first is running; the first continues"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Starts a second instance of a random node, and checks that the instance exits."""
        name = random.choice(sorted(graph.watches))
        first, before = graph.process(name), graph.restarts()
        command = [
            sys.executable,
            "-m",
            f"reachy_agent_ros.ros.{name}.{name}",
            "--ros-args",
            "-r",
            f"__ns:={names.NAMESPACE}",
        ]
        began = time.monotonic()
        second = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        refused = second.returncode == 1 and f"is already running as process {first.pid}" in second.stderr
        yield happened(f"the second {name} refuses, naming the first", refused)
        yield Figure("its start to its refusal", time.monotonic() - began, "s")
        yield happened("the first continues", first.is_running())
        yield count("restarts", sum(graph.restarts().values()) - sum(before.values()))
