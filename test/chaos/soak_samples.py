"""Periodic resource samples of a graph under load, and their trends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import numpy as np
from reachy_agent_msgs.msg import AgentState

from bench.resources import Resources, resources
from chaos.campaign_graph import CampaignGraph
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

PERIOD, LEDGER_PERIOD = 5.0, 60.0
"""Periods of the samples and of the ledger checks, s. A ledger check uses a core for several seconds."""


@dataclass(frozen=True)
class Sample:
    """Sample of the state of the graph at one time.

    Attributes:
        time: Time since the start of the test, s.
        taken: Resources that the graph uses.
        loop: p50, p99 and maximum lateness of the 100 Hz loop in the last 30 s, ms.
        waiting: Number of queued turns.
        restarts: Number of node restarts since the start of the graph.
        lost: Number of acknowledged records that cannot be read back.
        outside: Number of outputs outside the envelope so far.
    """

    time: float
    taken: Resources
    loop: tuple[float, float, float]
    waiting: int
    restarts: int
    lost: int
    outside: int


def slope(samples: Sequence[Sample], value: Callable[[Resources], float]) -> float:
    """Returns the trend of a value, as change per minute.

    The Theil-Sen estimator is the median slope of all pairs of samples and is robust to a few restarts (Sen, "Estimates
    of the regression coefficient based on Kendall's tau", 1968).
    """
    minutes = np.array([sample.time for sample in samples]) / 60.0
    values = np.array([value(sample.taken) for sample in samples])
    first, second = np.triu_indices(len(values), 1)
    return float(np.median((values[second] - values[first]) / (minutes[second] - minutes[first])))


class SoakSamples:
    """Sampler that measures a graph every `PERIOD` seconds while the context `looking` is active.

    Args:
        graph: Graph to measure.

    Attributes:
        samples: Samples, oldest first.
    """

    def __init__(self, graph: CampaignGraph) -> None:
        self.samples: list[Sample] = []
        self._graph = graph
        self._waiting = 0
        self._ledger_due = Deadline(0.0)
        self._began = time.monotonic()
        graph.client.node.create_subscription(AgentState, names.AGENT_STATE, self._take, LATCHED)

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Takes samples in a separate thread, and raises the errors of the thread at the end of the context."""
        ended = threading.Event()

        def look() -> None:
            while not ended.wait(PERIOD):
                if self._graph.diagnostics.loop:  # the bridge has published diagnostics
                    self.samples.append(self._sample())

        with ThreadPoolExecutor(1) as pool:
            looked = pool.submit(look)
            try:
                yield
            finally:
                ended.set()
            looked.result()

    def _sample(self) -> Sample:
        graph, record = self._graph, self._graph.record
        loop = graph.diagnostics.loop[-1]
        pids = [record.supervisor.pid, *(process.pid for process in record.nodes.values())]
        return Sample(
            time.monotonic() - self._began,
            resources(pids, state_directory()),
            (float(loop["p50_ms"]), float(loop["p99_ms"]), float(loop["max_ms"])),
            self._waiting,
            sum(process.restarts for process in record.nodes.values()),
            self._lost(),
            graph.envelope.outside,
        )

    def _lost(self) -> int:
        """Returns the number of lost records.

        The number is updated every `LEDGER_PERIOD`. If an update fails, the last number is returned.

        The soak test counts the final number separately.
        """
        if self._ledger_due.passed:
            self._ledger_due = Deadline(LEDGER_PERIOD)
            with suppress(AgentError):
                return len(self._graph.lost())
        return self.samples[-1].lost if self.samples else 0

    def _take(self, state: AgentState) -> None:
        self._waiting = int(state.turns_waiting)
