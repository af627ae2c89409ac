"""Looks at a running graph from outside: heartbeats, processes, sockets."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Sequence

import psutil
from reachy_agent_msgs.msg import AgentState, Heartbeat

from reachy_agent_ros.agent.conversation.status import AgentActivity
from reachy_agent_ros.bringup import node_names, selected
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import AGENT, AGENT_STATE
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from reachy_agent_ros.supervision.health import GraphHealth, MindHealth, NodeHealth, NodeState, open_sockets
from reachy_agent_ros.supervision.record import GraphRecord, load

STATES: dict[int, NodeState] = {
    Heartbeat.STARTING: "starting",
    Heartbeat.READY: "ready",
    Heartbeat.DEGRADED: "degraded",
    Heartbeat.STOPPING: "stopping",
}


def observe(namespace: str, timeout: float, until_ready: bool) -> GraphHealth:
    """Joins the graph and looks at it.

    Args:
        namespace: Of the graph.
        timeout: Seconds to wait at most.
        until_ready: Wait for every node to be ready; else only until each is heard.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no node is heard, and no supervisor runs that would start one.
    """
    with GraphClient("status", namespace) as client:
        names = node_names() if client.record is None else [node.name for node in selected(client.record.arguments)]
        watches = [HeartbeatMonitor(client.node, name) for name in names]
        minds: list[AgentState] = []
        client.node.create_subscription(AgentState, AGENT_STATE, minds.append, LATCHED)
        deadline = Deadline(timeout)
        while not deadline.passed and not _seen(watches, minds, until_ready):
            if client.record is not None and not client.record.alive:
                break
            client.pause()
        heard = [watch for watch in watches if watch.alive]
        record = load(namespace) if client.record is not None else None
        if record is None and not heard:
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, client.absence())
        # Without a record nobody says which nodes there should be: those that are heard.
        health = graph_health(namespace, record, heard if record is None else watches)
        if minds and AGENT in {watch.name for watch in heard}:
            mind = minds[-1]
            activity = AgentActivity(mind.state).name.lower()
            health.mind = MindHealth(activity, mind.detail, mind.persona, mind.session_id, mind.turns_waiting)
        return health


def _seen(watches: list[HeartbeatMonitor], minds: Collection[AgentState], until_ready: bool) -> bool:
    """Whether all is known that was asked for."""
    told = bool(minds) or AGENT not in {watch.name for watch in watches}
    return told and all(watch.ready if until_ready else watch.alive for watch in watches)


def graph_health(namespace: str, record: GraphRecord | None, watches: Sequence[HeartbeatMonitor]) -> GraphHealth:
    """How a graph is now.

    Args:
        namespace: Of the graph.
        record: What `reachy-agent up` wrote down; None where something else started it.
        watches: Of the nodes that there should be.
    """
    nodes = [_node(watch, record) for watch in watches]
    sockets = open_sockets(node.pid for node in nodes if node.pid)
    for node in nodes:
        node.open_sockets = sockets.get(node.pid, [])
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
    except psutil.NoSuchProcess:
        node.pid = 0
