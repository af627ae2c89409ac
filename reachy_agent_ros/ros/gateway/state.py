"""The state of the robot and its graph over ROS: what the body measures, the stop, and the health of the nodes."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psutil
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.node import Node
from reachy_agent_msgs.msg import RobotState
from reachy_agent_msgs.srv import GetRobotState
from std_msgs.msg import Bool
from std_srvs.srv import Trigger

from reachy_agent_ros.bringup import node_names, selected
from reachy_agent_ros.core import names
from reachy_agent_ros.gateway.ports.state import Diagnostic, HealthReport, MeasuredBody, NodeReport
from reachy_agent_ros.ros.client.emergency_stop import confirmed
from reachy_agent_ros.ros.client.observer import graph_health
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller, require_success
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor, HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from reachy_agent_ros.ros.tool_server.ros_body import ACTIVITIES, MOTORS
from reachy_agent_ros.supervision.health import NodeHealth
from reachy_agent_ros.supervision.record import GraphRecord, load

_STOPS = 8
"""Threads of their own, because turns and tools that wait could use up the others."""

_FRESH = 0.8
"""Seconds that a report holds: whoever asks in between gets the same one, so that asking often costs nothing."""

_STALE = 5.0
"""Seconds after which what a node said of itself counts as old; it is due once a second."""

_LEVELS = {
    DiagnosticStatus.OK: "ok",
    DiagnosticStatus.WARN: "warn",
    DiagnosticStatus.ERROR: "error",
    DiagnosticStatus.STALE: "stale",
}


class GatewayBody:
    """Implements `gateway.ports.state.Body`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        bridge = watches.of(names.HARDWARE_BRIDGE)
        voice = watches.of(names.TTS)
        self._state = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, bridge)
        self._stop = ServiceCaller(node, Trigger, names.EMERGENCY_STOP, bridge)
        self._silence = ServiceCaller(node, Trigger, names.STOP_SPEAKING, voice)
        self._reset = ServiceCaller(node, Trigger, names.RESET_EMERGENCY_STOP, bridge)
        self._stops = node.create_publisher(Bool, names.EMERGENCY_STOP, STANDARD)
        self._voice = voice
        self._workers = ThreadPoolExecutor(_STOPS, thread_name_prefix="stop")
        self._asked: asyncio.Task[MeasuredBody] | None = None

    async def state(self) -> MeasuredBody:
        """What is measured now; who asks while an answer is under way gets the same one."""
        if self._asked is None or self._asked.done():
            self._asked = asyncio.ensure_future(self._measure())
        return await asyncio.shield(self._asked)

    async def stop(self) -> MeasuredBody:
        """Stops everything that moves or speaks or is about to, and latches.

        The topic comes first: it needs no answer, so it works where the bridge still listens but no longer answers.
        The agent and the tools end what they do when they see that the robot was stopped, so nothing waits for them.
        """
        self._stops.publish(Bool(data=True))
        silence = (
            asyncio.ensure_future(self._in_thread(self._silence, Trigger.Request())) if self._voice.alive else None
        )
        try:
            await self._answered(self._stop)
            return await self._measure()
        finally:
            if silence is not None:
                await asyncio.wait({silence})
                silence.exception()  # a voice that has just died is silent

    async def reset(self) -> MeasuredBody:
        """Lets the robot move again."""
        await self._answered(self._reset)
        return await self._measure()

    async def _measure(self) -> MeasuredBody:
        answer = require_success(await self._in_thread(self._state, GetRobotState.Request()))
        return _body_state(answer)

    async def _answered(self, caller: ServiceCaller) -> None:
        confirmed(await self._in_thread(caller, Trigger.Request()))

    async def _in_thread(self, caller: ServiceCaller, request: Any) -> Any:
        return await in_thread(lambda token: caller.call(request, cancel=token), self._workers)


class RosHealth:
    """Implements `gateway.ports.state.Health`.

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
        if self._last is None or now - self._last[0] > _FRESH:
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

    def _watched(self, record: GraphRecord | None) -> list[HeartbeatMonitor]:
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
        old = time.monotonic() - _STALE
        return [_diagnostic(status, heard < old) for _, (heard, status) in sorted(self._diagnostics.copy().items())]


def _body_state(answer: Any) -> MeasuredBody:
    state: RobotState = answer.state
    return MeasuredBody(
        stamp=seconds_of(state.header.stamp),
        head_pose=tuple(transform_from_pose(state.head_pose).ravel().tolist()),
        body_yaw=state.body_yaw,
        antennas=(state.antenna_right, state.antenna_left),
        activity=ACTIVITIES[state.activity],
        motors=MOTORS[state.motor_mode],
        connected=state.connected,
        simulated=state.simulated,
        emergency_stopped=state.emergency_stopped,
        stop_reason=state.stop_reason,
        commander=state.commander,
    )


def _diagnostic(status: DiagnosticStatus, stale: bool) -> Diagnostic:
    node, _, concern = status.name.partition(": ")
    level = "stale" if stale else _LEVELS[status.level]
    return Diagnostic(node, concern, level, status.message, {value.key: value.value for value in status.values})
