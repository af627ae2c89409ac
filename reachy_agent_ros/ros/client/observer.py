"""Health of a running graph: heartbeats, processes and sockets."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import psutil
from reachy_agent_msgs.msg import AgentState, Heartbeat, RobotState

from reachy_agent_ros.agent.conversation.status import AgentActivity
from reachy_agent_ros.bringup import node_names, selected
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import AGENT, AGENT_STATE, HARDWARE_BRIDGE, ROBOT_STATE
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from reachy_agent_ros.supervision.health import AgentHealth, GraphHealth, NodeHealth, NodeState
from reachy_agent_ros.supervision.open_sockets import visible_sockets
from reachy_agent_ros.supervision.record import GraphRecord, load

MOST_FAILURES = 3
"""Number of failed starts of a node after which `observe` stops waiting: further attempts rarely succeed."""

STATES: dict[int, NodeState] = {
    Heartbeat.STARTING: "starting",
    Heartbeat.READY: "ready",
    Heartbeat.DEGRADED: "degraded",
    Heartbeat.STOPPING: "stopping",
}


def observe(
    namespace: str,
    timeout: float,
    until_ready: bool,
    progress: Callable[[int, int], None] = lambda _ready, _expected: None,
) -> GraphHealth:
    """Joins a running graph and returns its health.

    Args:
        namespace: Namespace of the graph.
        timeout: Time limit, s.
        until_ready: Whether to wait until every node is ready, instead of only until each has sent a heartbeat. The
            wait ends early if a node cannot start.
        progress: Called repeatedly during the wait with the number of ready nodes and the number of all nodes.

    Raises:
        AgentError: `SERVER_UNAVAILABLE` if there is neither a heartbeat nor a record of a running graph.
    """
    with GraphClient("status", namespace) as client:
        names = node_names() if client.record is None else [node.name for node in selected(client.record.arguments)]
        watches = [HeartbeatMonitor(client.node, name) for name in names]
        states: dict[str, list[Any]] = {AGENT: [], HARDWARE_BRIDGE: []}
        client.node.create_subscription(AgentState, AGENT_STATE, states[AGENT].append, LATCHED)
        client.node.create_subscription(RobotState, ROBOT_STATE, states[HARDWARE_BRIDGE].append, LATCHED)
        deadline = Deadline(timeout if until_ready else min(timeout, client.patience))
        while not deadline.passed and not _seen(watches, states, until_ready):
            if client.record is not None and (not client.record.alive or _is_failing(client.record, namespace)):
                break
            progress(sum(watch.ready for watch in watches), len(watches))
            client.pause()
        heard = [watch for watch in watches if watch.alive]
        record = load(namespace) if client.record is not None else None
        if record is None and not heard:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, client.absence())
        # Without a record the expected nodes are unknown, so only live ones are listed.
        health = graph_health(namespace, record, heard if record is None else watches)
        _add_states(health, {watch.name: states.get(watch.name, []) for watch in heard})
        return health


def _add_states(health: GraphHealth, states: Mapping[str, Sequence[Any]]) -> None:
    """Adds the latest states that live nodes have published to the health of their graph."""
    if agent := states.get(AGENT):
        health.mind = _agent_health(agent[-1], AGENT in health.degraded)
    if robot := states.get(HARDWARE_BRIDGE):
        health.emergency_stop = robot[-1].stop_reason


def _agent_health(state: AgentState, degraded: bool) -> AgentHealth:
    activity = AgentActivity(state.state).name.lower()
    if activity == "ready" and degraded:
        activity = "degraded"
    return AgentHealth(activity, state.detail, state.persona, state.session_id, state.turns_waiting)


def _seen(watches: list[HeartbeatMonitor], states: Mapping[str, Sequence[Any]], until_ready: bool) -> bool:
    """Returns whether all nodes are alive (`until_ready`: ready), and have published their states.

    Args:
        watches: Heartbeat monitors of the expected nodes.
        states: Received states of each node that publishes its state.
        until_ready: Whether all nodes must be ready.
    """
    published = all(states.get(watch.name, True) for watch in watches)
    return published and all(watch.ready if until_ready else watch.alive for watch in watches)


def _is_failing(before: GraphRecord, namespace: str) -> bool:
    """Returns whether any node has been restarted `MOST_FAILURES` times or more since an earlier record."""
    now = load(namespace)
    restarts = {name: node.restarts for name, node in now.nodes.items()} if now is not None else {}
    known = {name: node.restarts for name, node in before.nodes.items()}
    return any(number >= known.get(name, 0) + MOST_FAILURES for name, number in restarts.items())


def graph_health(namespace: str, record: GraphRecord | None, watches: Sequence[HeartbeatMonitor]) -> GraphHealth:
    """Returns the current health of a graph.

    Args:
        namespace: Namespace of the graph.
        record: Record of `reachy-agent up`; None for a graph that was started in another way.
        watches: Heartbeat monitors of the expected nodes.
    """
    nodes = [_node(watch, record) for watch in watches]
    return GraphHealth(
        namespace=namespace,
        domain=os.environ.get("ROS_DOMAIN_ID", "0"),
        supervisor=record.supervisor.pid if record is not None and record.supervisor.alive else 0,
        transport="unknown" if record is None else record.arguments["transport"],
        arguments={} if record is None else record.arguments,
        nodes=nodes,
    )


def _node(watch: HeartbeatMonitor, record: GraphRecord | None) -> NodeHealth:
    node = NodeHealth(watch.name)
    beat = watch.last
    if watch.alive and beat is not None:
        node.state, node.detail, node.pid = STATES[beat.state], beat.detail, beat.pid
    if record is not None and watch.name in record.nodes:
        process = record.nodes[watch.name]
        node.pid, node.restarts, node.last_end = process.pid, process.restarts, process.last_end
    _measure(node)
    return node


def _measure(node: NodeHealth) -> None:
    try:
        process = psutil.Process(node.pid)
        node.age = time.time() - process.create_time()
        node.resident_mb = process.memory_info().rss / 2**20
        node.open_sockets = visible_sockets(node.pid)
    except psutil.NoSuchProcess:
        node.pid = 0
