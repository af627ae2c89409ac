"""The graph's health: heartbeats, what nodes say of themselves, and what their processes use."""

from __future__ import annotations

import asyncio
import time

import psutil
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.node import Node

from reachy_agent_ros.bringup import node_names, selected
from reachy_agent_ros.gateway.ports.state import Diagnostic, HealthReport, NodeReport
from reachy_agent_ros.ros.client.observer import graph_health
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatch, HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from reachy_agent_ros.supervision.health import NodeHealth
from reachy_agent_ros.supervision.record import GraphRecord, load

FRESH = 0.8
"""Seconds that a report holds: whoever asks in between gets the same one, so that asking often costs nothing."""

STALE = 5.0
"""Seconds after which what a node said of itself counts as old; it is due once a second."""

_LEVELS = {
    DiagnosticStatus.OK: "ok",
    DiagnosticStatus.WARN: "warn",
    DiagnosticStatus.ERROR: "error",
    DiagnosticStatus.STALE: "stale",
}


class RosHealth:
    """Implements `gateway.ports.health.Health`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        self._namespace = node.get_namespace()
        self._watches = {name: watches.of(name) for name in node_names()}
        self._diagnostics: dict[str, tuple[float, DiagnosticStatus]] = {}
        self._processes: dict[int, psutil.Process] = {}
        self._last: tuple[float, asyncio.Task[HealthReport]] | None = None
        node.create_subscription(DiagnosticArray, "/diagnostics", self._hear, STANDARD)

    async def report(self) -> HealthReport:
        """How the graph is now."""
        now = time.monotonic()
        if self._last is None or now - self._last[0] > FRESH:
            self._last = now, asyncio.ensure_future(asyncio.to_thread(self._look))
        return await asyncio.shield(self._last[1])

    def _look(self) -> HealthReport:
        record = load(self._namespace)
        health = graph_health(self._namespace, record, self._watched(record))
        return HealthReport(
            stamp=time.time(),
            namespace=health.namespace,
            domain=health.domain,
            supervisor=health.supervisor,
            transport=health.transport,
            arguments=health.arguments,
            ready=health.ready,
            cpu=psutil.cpu_percent() / 100.0,
            cores=psutil.cpu_count() or 1,
            memory_mb=psutil.virtual_memory().used / 2**20,
            nodes=[self._node(node) for node in health.nodes],
            diagnostics=self._told(),
        )

    def _watched(self, record: GraphRecord | None) -> list[HeartbeatWatch]:
        """Of the nodes that there should be; without a record, of those that are heard."""
        if record is None:
            return [watch for watch in self._watches.values() if watch.alive]
        return [self._watches[node.name] for node in selected(record.arguments)]

    def _node(self, node: NodeHealth) -> NodeReport:
        return NodeReport(
            name=node.name,
            state=node.state,
            detail=node.detail,
            pid=node.pid,
            age=node.age,
            cpu=self._cpu(node.pid),
            resident_mb=node.resident_mb,
            restarts=node.restarts,
            last_end=node.last_end,
        )

    def _cpu(self, pid: int) -> float | None:
        """Cores that a process used since the look before."""
        try:
            known = self._processes.get(pid)
            if known is not None and known.is_running():
                return float(known.cpu_percent()) / 100.0
            process = self._processes[pid] = psutil.Process(pid)
            process.cpu_percent()  # begins to count
        except psutil.NoSuchProcess:
            self._processes.pop(pid, None)
        return None

    def _hear(self, message: DiagnosticArray) -> None:  # in the executor's thread
        now = time.monotonic()
        self._diagnostics |= {
            status.name: (now, status) for status in message.status if status.hardware_id == self._namespace
        }

    def _told(self) -> list[Diagnostic]:
        old = time.monotonic() - STALE
        return [_diagnostic(status, heard < old) for _, (heard, status) in sorted(self._diagnostics.copy().items())]


def _diagnostic(status: DiagnosticStatus, stale: bool) -> Diagnostic:
    node, _, concern = status.name.partition(": ")
    level = "stale" if stale else _LEVELS[status.level]
    return Diagnostic(node, concern, level, status.message, {value.key: value.value for value in status.values})
