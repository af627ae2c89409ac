"""Fault 27: simultaneous shutdown of all processes."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import psutil

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count

PATIENCE = 60.0  # s


class StoppedGraph:
    """Simultaneous shutdown of all processes. Acknowledged data must exist after the restart."""

    number = 27
    title = "simultaneous shutdown of all processes"
    injected = "SIGTERM to the supervisor and to every node at the same moment; then the graph is started again"
    expected = "all processes have exited within 5 s, and none remains"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Terminates all processes, then restarts the graph and measures its start."""
        record = graph.record
        processes = [psutil.Process(one.pid) for one in (record.supervisor, *record.nodes.values())]
        family = {child for process in processes for child in process.children(recursive=True)} | set(processes)
        began = time.monotonic()
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGTERM)
        _, alive = psutil.wait_procs(family, timeout=PATIENCE)
        yield Figure("SIGTERM to the end of the last process", time.monotonic() - began, "s", 5.0)
        yield count("processes left behind", len(alive))
        graph.start_again()
        yield Figure("until the graph is whole, after its start", graph.await_whole(), "s")
