"""Soak test: half an hour of conversation with a random fault every thirty seconds.

The test reports trends of resource use.

`scripts/chaos soak` spends one sixth of the time on a warm-up without faults, four sixths on faults, and one sixth on
recovery. Trends are measured after the warm-up. Run it on an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import psutil

from bench.report import Figure, percentile, print_report
from chaos.campaign import SEED
from chaos.campaign_graph import CampaignGraph, campaign_graph
from chaos.faults.duplicate_node import DuplicateNode
from chaos.faults.fault import CannotBeInjectedError, Fault
from chaos.faults.killed_action_server import KilledActionServer
from chaos.faults.killed_node import KilledNode
from chaos.faults.stepped_clock import SteppedClock
from chaos.faults.stopped_bridge import StoppedBridge
from chaos.faults.stopped_camera import StoppedCamera
from chaos.life import meanwhile
from chaos.soak_plot import plot_soak
from chaos.soak_samples import SoakSamples, slope
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError

FAULTS: Sequence[Fault] = (
    *(KilledNode(),) * 4,  # the most frequent fault
    KilledActionServer(),
    StoppedBridge(),
    StoppedCamera(),
    DuplicateNode(),
    SteppedClock(),
)
EVERY = 30.0  # s between the starts of two faults
PACE = 1.0  # s between the starts of two operations, or more if the graph responds slowly
LONG_OPERATIONS = 10
"""Interval, in rounds, of tool registrations and demonstrations, which take several seconds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the duration, the seed, and the plot."""
    parser.add_argument("--minutes", type=float, default=30.0, help="in all (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="decides the faults (default: %(default)s)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="also draw it there, as PNG")


def main(as_json: bool, minutes: float = 30.0, seed: int = SEED, plot: Path | None = None) -> int:
    """Starts a graph and runs the soak test. The exit code is 0 even if the test finds a problem."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # otherwise the graph would keep running
    with campaign_graph(short=True) as graph:
        soak = Soak(graph, Random(seed), 60.0 * minutes)
        figures = list(soak.run())
    if plot is not None:
        plot_soak(plot, soak.samples.samples, soak.moments)
    print_report("soak", figures, as_json)
    return 0


class Soak:
    """One run of the soak test.

    Args:
        graph: Graph in which every node is ready.
        random: Selects the faults.
        seconds: Duration of the test.

    Attributes:
        samples: Measurements during the test.
        moments: Start time, s, and title of each fault.
    """

    def __init__(self, graph: CampaignGraph, random: Random, seconds: float) -> None:
        self.samples = SoakSamples(graph)
        self.moments: list[tuple[float, str]] = []
        self._graph = graph
        self._random = random
        self._seconds = seconds
        self._began = time.monotonic()
        self._rounds = 0
        self._nodes: list[float] = []
        self._whole: list[float] = []
        self._problems: Counter[str] = Counter()

    def run(self) -> Iterator[Figure]:
        """Runs the soak test and yields its figures."""
        unanswered: list[AgentError] = []
        with self.samples.looking(), meanwhile(self._converse, unanswered):
            time.sleep(self._seconds / 6.0)
            faults = Deadline(4.0 * self._seconds / 6.0)
            while not faults.passed:
                due = Deadline(EVERY)
                self._break(self._random.choice(FAULTS))
                time.sleep(due.remaining)
            time.sleep(self._seconds / 6.0)
        for problem, count in self._problems.items():
            print(f"{count} times: {problem}", file=sys.stderr)
        for kind, count in Counter(one.partition(":")[0] for one in self._graph.lost()).items():
            print(f"lost: {count} {kind}", file=sys.stderr)
        yield from self._figures()

    def _converse(self) -> None:
        workload = self._graph.workload
        operations = [workload.talk, workload.judge, workload.tell, workload.decide]
        self._rounds += 1
        if self._rounds % LONG_OPERATIONS == 0:
            operations += [workload.teach, workload.show]
        for operation in operations:
            due = Deadline(PACE)
            operation()
            time.sleep(due.remaining)

    def _break(self, fault: Fault) -> None:
        self.moments.append((time.monotonic() - self._began, fault.title))
        print(f"{self.moments[-1][0]:6.0f} s {fault.title}", file=sys.stderr)
        figures: list[Figure] = []
        try:
            figures.extend(fault.run(self._graph, self._random))
            self._whole.append(self._graph.await_whole())
        except (AgentError, AssertionError, CannotBeInjectedError, OSError, psutil.Error) as error:
            self._problems[f"{fault.title}: {error}"] += 1
        self._nodes += [figure.value for figure in figures if figure.name.endswith("SIGKILL to ready again")]

    def _figures(self) -> Iterator[Figure]:
        samples = self.samples.samples
        warm = [one for one in samples if one.time > self._seconds / 6.0]
        yield Figure("faults", len(self.moments), "")
        yield Figure("acknowledged by the graph", len(self._graph.ledger.entries()), "")
        yield Figure("acknowledged and lost", len(self._graph.lost()), "", 0.0)
        yield Figure("outputs outside the envelope", self._graph.envelope.outside, "", 0.0)
        yield Figure("resident memory, change a minute", slope(warm, lambda taken: taken.resident), "MB", 1.0)
        yield Figure("open descriptors, change a minute", slope(warm, lambda taken: taken.descriptors), "", 0.1)
        yield Figure("threads, change a minute", slope(warm, lambda taken: taken.threads), "", 0.1)
        shared_files = slope(warm, lambda taken: taken.shared_files)
        yield Figure("files of DDS in shared memory, change a minute", shared_files, "", 0.0)
        yield Figure("write-ahead logs, greatest", max(one.taken.write_ahead for one in samples), "MB")
        yield Figure("100 Hz loop: lateness p99, median window", percentile([one.loop[1] for one in samples], 50), "ms")
        yield Figure("100 Hz loop: lateness p99, worst window", max(one.loop[1] for one in samples), "ms")
        yield Figure("turns in line, greatest", max(one.waiting for one in samples), "")
        yield Figure("restarts of nodes", samples[-1].restarts, "")
        if self._nodes:
            yield Figure("SIGKILL to ready again, p95 of the nodes", percentile(self._nodes, 95), "s", 3.0)
        if self._whole:
            yield Figure("end of a fault to the whole graph's being ready, p95", percentile(self._whole, 95), "s", 5.0)
        yield Figure("faults that could not be watched to their end", sum(self._problems.values()), "", 0.0)
