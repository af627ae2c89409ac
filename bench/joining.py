"""How soon nodes hear one another after one of them was killed and started again, and whether all of them do.

`reachy-agent bench joining`, about five minutes with nothing else running. Eight processes with sixty names each, of
which one at a time is killed with SIGKILL.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bench.report import Figure, percentile, print_report
from reachy_agent_ros.supervision.transport import LOOPBACK, apply, transport_environment

DISCOVERY_PROBE = Path(__file__).with_name("discovery_probe.py")
SEED = 7
NODES = 8
KILLS = 40
SETTLED = 7.0  # s between two kills: what was not heard by then counts as never heard


class DiscoveryProbes:
    """Processes that hear one another."""

    def __init__(self) -> None:
        self._heard: dict[tuple[int, int], float] = {}
        self._processes = [self._start(number) for number in range(NODES)]

    def close(self) -> None:
        """Ends them."""
        for process in self._processes:
            process.kill()
            process.wait()

    def replace(self, number: int) -> tuple[list[float], int]:
        """Kills one and starts it again.

        Returns:
            Seconds from its being there to its hearing each other one and to being heard by it, and how many of these
            never came.
        """
        self._processes[number].kill()
        self._processes[number].wait()
        self._processes[number] = self._start(number)
        time.sleep(SETTLED)
        new = self._processes[number].pid
        others = [process.pid for process in self._processes if process.pid != new]
        pairs = [*((new, other) for other in others), *((other, new) for other in others)]
        times = [self._heard[pair] - self._heard[new, 0] for pair in pairs if pair in self._heard]
        return times, len(pairs) - len(times)

    def _start(self, number: int) -> subprocess.Popen[str]:
        command = [sys.executable, str(DISCOVERY_PROBE), str(number), str(NODES)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self._read, args=(process,), daemon=True).start()
        return process

    def _read(self, process: subprocess.Popen[str]) -> None:
        for line in process.stdout or ():
            listener, heard, at = line.split()
            self._heard[int(listener), int(heard)] = float(at)


def main(as_json: bool) -> int:
    """Kills and measures. Returns 0 whatever the figures say."""
    rng = np.random.default_rng(SEED)
    slowest, missing = [], 0
    with discovery_probes() as all_of_them:
        time.sleep(SETTLED)
        for number in rng.integers(NODES, size=KILLS):
            times, never = all_of_them.replace(int(number))
            slowest.append(max(times))
            missing += never
    figures = [
        Figure(f"one of {NODES} killed: until all hear one another, p50 of {KILLS}", percentile(slowest, 50), "s"),
        Figure("until all hear one another, worst", max(slowest), "s", 2.0),
        Figure(f"never heard within {SETTLED:.0f} s", missing, "", 0.0),
    ]
    print_report("joining", figures, as_json)
    return 0


@contextmanager
def discovery_probes() -> Iterator[DiscoveryProbes]:
    """Processes in folders and a domain of their own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REACHY_AGENT_RUNTIME"] = folder
        os.environ["ROS_DOMAIN_ID"] = "100"
        apply(transport_environment(LOOPBACK))
        processes = DiscoveryProbes()
        try:
            yield processes
        finally:
            processes.close()
