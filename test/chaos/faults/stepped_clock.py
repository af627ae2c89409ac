"""Fault 15: step of the wall clock."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from random import Random

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import CannotBeInjectedError, count, happened
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor

STEPS = {"an hour back": -3600, "an hour ahead": 3600, "a day back": -86400}
LATE = 1.0  # s, longer than the heartbeat period of every node
CLOSE = 60.0  # s


class SteppedClock:
    """Step of the wall clock.

    The default timers of rclpy would stop for as long as the clock was set back.
    """

    number = 15
    title = "clock set"
    injected = (
        "the wall clock of all running nodes is set an hour back, an hour ahead and a day back, and then corrected"
    )
    expected = "no node stops its heartbeat or restarts; turns and feedback are accepted as before"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Sets the wall clock forward and back, and checks that the nodes keep working."""
        if not graph.clock.environment:
            raise CannotBeInjectedError("A C compiler is needed for the library that shifts the clock of a process.")
        before = graph.restarts()
        for step in random.sample(sorted(STEPS), len(STEPS)):
            yield from self._step(graph, step)
        yield count("restarts", sum(graph.restarts().values()) - sum(before.values()))

    def _step(self, graph: CampaignGraph, step: str) -> Iterator[Figure]:
        silent: list[str] = []
        watches = graph.watches.values()
        ends = [watch.on_lost(partial(silent.append, watch.name)) for watch in watches]
        before = {watch.name: _told(watch) for watch in watches}
        graph.clock.shift(STEPS[step])
        try:
            time.sleep(LATE)
            moved = sum(abs(_told(watch) - before[watch.name] - STEPS[step]) < CLOSE for watch in watches)
            yield count(f"{step}: nodes whose clock was not set", len(watches) - moved)
            yield happened(f"{step}: a turn is answered", graph.workload.talk())
            yield happened(f"{step}: a judgment is kept", graph.workload.judge())
        finally:
            graph.clock.shift(0)
        time.sleep(LATE)
        for end in ends:
            end()
        yield count(f"{step} and right again: nodes that fell silent", len(silent))


def _told(watch: HeartbeatMonitor) -> float:
    """Returns the wall time (s) that the last heartbeat of a node states."""
    return seconds_of(watch.last.header.stamp) if watch.last is not None else 0.0
