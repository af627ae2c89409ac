"""Health of the graph, over ROS: heartbeats, processes and diagnostics."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.node import Node

from reachy_agent_ros.bringup import node_names, selected
from reachy_agent_ros.gateway.models.health import (
    DiagnosticLevel,
    DiagnosticReport,
    HealthAnswer,
    NodeStatus,
)
from reachy_agent_ros.ros.client.observer import graph_health
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor, HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from reachy_agent_ros.supervision.health import NodeHealth
from reachy_agent_ros.supervision.record import GraphRecord, load

_FRESH = 0.8
"""Time for which a health report is cached, s."""

_STALE = 5.0
"""Age from which a diagnostic counts as stale, s; nodes publish one per second."""

_LEVELS: dict[bytes, DiagnosticLevel] = {
    DiagnosticStatus.OK: "ok",
    DiagnosticStatus.WARN: "warn",
    DiagnosticStatus.ERROR: "error",
    DiagnosticStatus.STALE: "stale",
}


class RosHealth:
    """Reads the health of the graph.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        self._namespace = node.get_namespace()
        self._watches = {name: watches.of(name) for name in node_names()}
        self._diagnostics: dict[str, tuple[float, DiagnosticStatus]] = {}
        self._processes: dict[int, psutil.Process] = {}
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._worker.submit(psutil.cpu_percent)  # its first call in each thread returns 0
        self._last: tuple[float, asyncio.Task[HealthAnswer]] | None = None
        node.create_subscription(DiagnosticArray, "/diagnostics", self._keep_diagnostics, STANDARD)

    async def report(self) -> HealthAnswer:
        """Returns the health of the graph. The data is at most `_FRESH` seconds old."""
        now = time.monotonic()
        if self._last is None or now - self._last[0] > _FRESH:
            self._last = now, asyncio.ensure_future(self._in_worker())
        return await asyncio.shield(self._last[1])

    async def _in_worker(self) -> HealthAnswer:
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._report)

    def _report(self) -> HealthAnswer:
        record = load(self._namespace)
        health = graph_health(self._namespace, record, self._watched(record))
        return HealthAnswer(
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
            diagnostics=self._diagnostic_reports(),
        )

    def _watched(self, record: GraphRecord | None) -> list[HeartbeatMonitor]:
        """Returns the heartbeat monitors of the recorded nodes or, without a record, of all live nodes."""
        if record is None:
            return [watch for watch in self._watches.values() if watch.alive]
        return [self._watches[node.name] for node in selected(record.arguments)]

    def _node(self, node: NodeHealth) -> NodeStatus:
        return NodeStatus(
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
        """Returns the mean number of cores that a process used since the last report; None if it is new or ended."""
        try:
            known = self._processes.get(pid)
            if known is not None and known.is_running():
                return float(known.cpu_percent()) / 100.0
            process = self._processes[pid] = psutil.Process(pid)
            process.cpu_percent()  # starts psutil's measurement
        except psutil.NoSuchProcess:
            self._processes.pop(pid, None)
        return None

    def _keep_diagnostics(self, message: DiagnosticArray) -> None:  # in the executor's thread
        now = time.monotonic()
        self._diagnostics |= {
            status.name: (now, status) for status in message.status if status.hardware_id == self._namespace
        }

    def _diagnostic_reports(self) -> list[DiagnosticReport]:
        old = time.monotonic() - _STALE
        return [_diagnostic(status, heard < old) for _, (heard, status) in sorted(self._diagnostics.copy().items())]


def _diagnostic(status: DiagnosticStatus, stale: bool) -> DiagnosticReport:
    node, _, concern = status.name.partition(": ")
    level = "stale" if stale else _LEVELS[status.level]
    values = {value.key: value.value for value in status.values}
    return DiagnosticReport(node=node, concern=concern, level=level, message=status.message, values=values)
