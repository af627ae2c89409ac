"""Fault 7: busy machine."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bench.busy_processes import busy_processes
from bench.loop_jitter import LoopJitter
from bench.report import Figure
from chaos.campaign_graph import CampaignGraph

BUSY = 4


class BusyMachine:
    """Full CPU load.

    The motion loop and the safety gate run in a separate process with raised priority.
    """

    number = 7
    title = "busy machine"
    injected = "four processes that never sleep, for half a minute"
    expected = "99 % of the periods of the 100 Hz loop start within 5 ms of the scheduled time"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Measures the timing of the motion loop under full CPU load."""
        loop = LoopJitter(graph.client)
        with busy_processes(BUSY):
            yield from loop.figures(f"{BUSY} busy, {'SCHED_FIFO' if loop.realtime else 'raised niceness'}", 5.0)
