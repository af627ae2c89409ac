"""Discovery: time until nodes discover each other after one of the nodes was killed and restarted.

Run `reachy-agent bench joining` with nothing else running. It takes 90 s for 11 kills, with `--full` five minutes for
40. Eight processes have sixty topics and services each; one at a time is killed with SIGKILL.
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
KILLS, SHORT_KILLS = 40, 11
SETTLED = 7.0  # s between two kills: a process that is not discovered by then counts as missing


class DiscoveryProbes:
    """Group of `discovery_probe.py` processes that discover each other."""

    def __init__(self) -> None:
        self._heard: dict[tuple[int, int], float] = {}
        self._processes = [self._start(number) for number in range(NODES)]

    def close(self) -> None:
        """Ends all probe processes."""
        for process in self._processes:
            process.kill()
            process.wait()

    def replace(self, number: int) -> tuple[list[float], int]:
        """Kills a probe process and starts a new one in its place.

        Returns:
            Times from the start of its node until it discovers each other probe, and until each other discovers it, s;
            and the number of pairs that never did.
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


def main(as_json: bool, full: bool = False) -> int:
    """Kills probe processes and measures their discovery after a restart. Always returns exit code 0."""
    kills = KILLS if full else SHORT_KILLS
    rng = np.random.default_rng(SEED)
    slowest, missing = [], 0
    with discovery_probes() as probes:
        time.sleep(SETTLED)
        for number in rng.integers(NODES, size=kills):
            times, never = probes.replace(int(number))
            slowest.append(max(times, default=SETTLED))
            missing += never
    figures = [
        Figure(f"one of {NODES} killed: until all hear one another, p50 of {kills}", percentile(slowest, 50), "s"),
        Figure("until all hear one another, worst", max(slowest), "s", 2.0),
        Figure(f"never heard within {SETTLED:.0f} s", missing, "", 0.0),
    ]
    print_report("joining", figures, as_json)
    return 0


@contextmanager
def discovery_probes() -> Iterator[DiscoveryProbes]:
    """Starts the probes in a separate runtime folder and ROS domain, and stops the probes at the end."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REACHY_AGENT_RUNTIME"] = folder
        os.environ["ROS_DOMAIN_ID"] = "100"
        apply(transport_environment(LOOPBACK))
        probes = DiscoveryProbes()
        try:
            yield probes
        finally:
            probes.close()
