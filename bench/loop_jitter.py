"""Punctuality of the bridge's motion loop, as its own diagnostics tell it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from diagnostic_msgs.msg import DiagnosticArray
from report import Figure

from reachy_agent_ros.core import names
from reachy_agent_ros.nodes.client import GraphClient
from reachy_agent_ros.nodes.qos import STANDARD

WINDOW = 31.0
"""s that the loop's statistics look back, and one for the diagnostics to be sent."""

STATUS = f"{names.HARDWARE_BRIDGE}: motion loop"


class LoopJitter:
    """Listens to the diagnostics of a running graph's motion loop."""

    def __init__(self, client: GraphClient) -> None:
        beat = client.watch(names.HARDWARE_BRIDGE).last
        assert beat is not None
        self.pid: int = beat.pid
        self._values: dict[str, str] = {}
        client.node.create_subscription(DiagnosticArray, "/diagnostics", self._receive, STANDARD)

    @property
    def realtime(self) -> bool:
        """Whether the kernel granted the loop a real-time priority."""
        return realtime_thread(self.pid) is not None

    def figures(self, condition: str, bar: float) -> Iterator[Figure]:
        """Fills the loop's window under a condition that holds already.

        Args:
            condition: What else the machine does.
            bar: Greatest good 99th percentile, ms.
        """
        before = self._overruns()
        time.sleep(WINDOW)
        yield Figure(f"100 Hz loop, {condition}: |period - 10 ms|, p50", float(self._values["p50_ms"]), "ms")
        yield Figure(f"100 Hz loop, {condition}: |period - 10 ms|, p99", float(self._values["p99_ms"]), "ms", bar)
        yield Figure(f"100 Hz loop, {condition}: |period - 10 ms|, max", float(self._values["max_ms"]), "ms")
        yield Figure(f"100 Hz loop, {condition}: periods left out", self._overruns() - before, "")

    def _overruns(self) -> float:
        while not self._values:
            time.sleep(0.01)
        return float(self._values["overruns"])

    def _receive(self, message: DiagnosticArray) -> None:
        for status in message.status:
            if status.name == STATUS:
                self._values = {value.key: value.value for value in status.values}


def realtime_thread(pid: int) -> int | None:
    """Id of a process's thread that is scheduled first in, first out; None without one."""
    threads = (int(task) for task in os.listdir(f"/proc/{pid}/task"))
    realtime = (os.SCHED_FIFO, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK)
    return next((thread for thread in threads if os.sched_getscheduler(thread) in realtime), None)


def take_away_realtime(pid: int, niceness: int = -15) -> None:
    """Puts the loop where it is on a machine that grants a raised niceness only."""
    thread = realtime_thread(pid)
    assert thread is not None
    os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))
    os.setpriority(os.PRIO_PROCESS, thread, niceness)
