"""State of the robot, emergency stop, and health of the graph, over ROS."""

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
from reachy_agent_ros.gateway.models.body import StateAnswer
from reachy_agent_ros.gateway.models.health import (
    DiagnosticLevel,
    DiagnosticReport,
    HealthAnswer,
    NodeStatus,
)
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
"""Number of threads reserved for calls to the bridge, because waiting turns and tools could use up the shared pool."""

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


class GatewayBody:
    """Implements `BodyService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
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
        self._asked: asyncio.Task[StateAnswer] | None = None

    async def state(self) -> StateAnswer:
        """Implements `BodyService.state`. Concurrent requests share one service call."""
        if self._asked is None or self._asked.done():
            self._asked = asyncio.ensure_future(self._measure())
        return await asyncio.shield(self._asked)

    async def stop(self) -> StateAnswer:
        """Implements `BodyService.stop`.

        The topic comes first: a message on it needs no response, so it works even if the bridge cannot respond.
        Does not wait for the agent and the tool server, which end their work when they see the stop.
        """
        self._stops.publish(Bool(data=True))
        silence = (
            asyncio.ensure_future(self._in_thread(self._silence, Trigger.Request())) if self._voice.alive else None
        )
        try:
            await self._call_trigger(self._stop)
            return await self._measure()
        finally:
            if silence is not None:
                await asyncio.wait({silence})
                silence.exception()  # a `tts` that has just ended is silent

    async def reset(self) -> StateAnswer:
        """Implements `BodyService.reset`."""
        await self._call_trigger(self._reset)
        return await self._measure()

    async def _measure(self) -> StateAnswer:
        answer = require_success(await self._in_thread(self._state, GetRobotState.Request()))
        return _state_answer(answer)

    async def _call_trigger(self, caller: ServiceCaller) -> None:
        confirmed(await self._in_thread(caller, Trigger.Request()))

    async def _in_thread(self, caller: ServiceCaller, request: Any) -> Any:
        return await in_thread(lambda token: caller.call(request, cancel=token), self._workers)


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


def _state_answer(answer: Any) -> StateAnswer:
    state: RobotState = answer.state
    return StateAnswer(
        stamp=seconds_of(state.header.stamp),
        head_pose=transform_from_pose(state.head_pose).ravel().tolist(),
        body_yaw=state.body_yaw,
        antennas=[state.antenna_right, state.antenna_left],
        activity=ACTIVITIES[state.activity],
        motors=MOTORS[state.motor_mode],
        connected=state.connected,
        simulated=state.simulated,
        emergency_stopped=state.emergency_stopped,
        stop_reason=state.stop_reason,
        commander=state.commander,
    )


def _diagnostic(status: DiagnosticStatus, stale: bool) -> DiagnosticReport:
    node, _, concern = status.name.partition(": ")
    level = "stale" if stale else _LEVELS[status.level]
    values = {value.key: value.value for value in status.values}
    return DiagnosticReport(node=node, concern=concern, level=level, message=status.message, values=values)
