"""Jitter of the bridge's motion loop, from its diagnostics."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from bench.bridge_diagnostics import BridgeDiagnostics
from bench.report import Figure
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.client import GraphClient

WINDOW = 31.0
"""Window of the loop's statistics plus 1 s for sending the diagnostics, s."""


class LoopJitter:
    """Collector of the diagnostics of the motion loop in a running graph."""

    def __init__(self, client: GraphClient) -> None:
        beat = client.watch(names.HARDWARE_BRIDGE).last
        assert beat is not None
        self.pid: int = beat.pid
        self._diagnostics = BridgeDiagnostics(client.node)

    @property
    def realtime(self) -> bool:
        """Whether the kernel has granted a real-time priority to the motion loop."""
        return realtime_thread(self.pid) is not None

    def figures(self, condition: str, bar: float) -> Iterator[Figure]:
        """Measures the jitter over one window of the loop's statistics. The given condition must already apply.

        Args:
            condition: Description of the machine's other load.
            bar: Upper limit of the 99th percentile, ms.
        """
        before = float(self._latest()["overruns"])
        time.sleep(WINDOW)
        late = {name: float(value) for name, value in self._latest().items() if name != "priority"}
        yield Figure(f"100 Hz loop, {condition}: |period - 10 ms|, p50", late["p50_ms"], "ms")
        yield Figure(f"100 Hz loop, {condition}: |period - 10 ms|, p99", late["p99_ms"], "ms", bar)
        yield Figure(f"100 Hz loop, {condition}: |period - 10 ms|, max", late["max_ms"], "ms")
        yield Figure(f"100 Hz loop, {condition}: periods left out", late["overruns"] - before, "")

    def _latest(self) -> dict[str, str]:
        while not self._diagnostics.loop:
            time.sleep(0.01)
        return self._diagnostics.loop[-1]


def realtime_thread(pid: int) -> int | None:
    """Returns the ID of the process's thread with the scheduling policy SCHED_FIFO, or None if no thread has it."""
    threads = (int(task) for task in os.listdir(f"/proc/{pid}/task"))
    realtime = (os.SCHED_FIFO, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK)
    return next((thread for thread in threads if os.sched_getscheduler(thread) in realtime), None)


def take_away_realtime(pid: int, niceness: int = -15) -> None:
    """Replaces the real-time priority of a process's thread with a niceness, to measure machines without it."""
    thread = realtime_thread(pid)
    assert thread is not None
    os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))
    os.setpriority(os.PRIO_PROCESS, thread, niceness)
