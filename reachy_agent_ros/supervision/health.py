"""How a graph is, as `reachy-agent status` shows it: its nodes, and sockets that strangers on the network can reach."""

from __future__ import annotations

import ipaddress
import json
import socket
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import psutil

from reachy_agent_ros.core.errors import AgentError, ErrorCode

NodeState = Literal["starting", "ready", "degraded", "stopping", "silent"]


@dataclass
class NodeHealth:
    """One node.

    Attributes:
        name: Relative to the namespace.
        state: Of its heartbeat; "silent" without one.
        detail: What the node says about that state.
        pid: Its process; 0 where none is known.
        age: Of the process, s.
        restarts: How often it was started again.
        last_end: How it last ended by itself, empty where it has not.
        resident_mb: Resident memory of the process, MB.
        open_sockets: Where it listens off the loopback device.
    """

    name: str
    state: NodeState = "silent"
    detail: str = ""
    pid: int = 0
    age: float = 0.0
    restarts: int = 0
    last_end: str = ""
    resident_mb: float = 0.0
    open_sockets: list[str] = field(default_factory=list)

    @property
    def ready(self) -> bool:
        """Whether it works, if with something missing."""
        return self.state in ("ready", "degraded")

    @property
    def note(self) -> str:
        """What a person should know of it, on one line."""
        return self.detail or ("" if self.ready else self.last_end)


@dataclass
class MindHealth:
    """What the agent does.

    Attributes:
        state: "initializing", "ready", "processing", "waiting_for_approval", "error", "shutdown".
        detail: What it says about that state.
        persona: Who the robot is.
        session_id: Conversation that spoken sentences go on with.
        turns_waiting: In line behind the one that runs.
    """

    state: str
    detail: str
    persona: str
    session_id: str
    turns_waiting: int

    def __str__(self) -> str:
        """One line for people."""
        detail = f" ({self.detail})" if self.detail else ""
        waiting = f", {self.turns_waiting} turns wait" if self.turns_waiting else ""
        state = self.state.replace("_", " ")
        return f"Agent: {state}{detail}{waiting}. It is {self.persona}, in the conversation {self.session_id}."


@dataclass
class GraphHealth:
    """The whole graph.

    Attributes:
        namespace: Of its names.
        domain: ROS domain id.
        supervisor: Process of `reachy-agent up`; 0 where it was killed, or something else started the graph.
        transport: What it was started with; "unknown" where something else started it.
        arguments: The graph's arguments; empty where something else started it.
        nodes: Every node that should run.
        mind: What the agent does; None where it is not heard.
    """

    namespace: str
    domain: str
    supervisor: int
    transport: str
    arguments: dict[str, str]
    nodes: list[NodeHealth]
    mind: MindHealth | None = None

    @property
    def closed(self) -> bool:
        """Whether no stranger on the network can reach any node."""
        return not any(node.open_sockets for node in self.nodes)

    @property
    def ready(self) -> bool:
        """Whether every node is."""
        return all(node.ready for node in self.nodes)

    @property
    def good(self) -> bool:
        """Whether every node is ready, and the graph closed unless it was opened on purpose."""
        return self.ready and (self.closed or self.transport == "network")

    def as_json(self) -> str:
        """One JSON object."""
        return json.dumps({**asdict(self), "closed": self.closed, "ready": self.ready})

    def summary(self) -> list[str]:
        """Lines for people: readiness, network, endpoints, mind."""
        ready = sum(node.ready for node in self.nodes)
        lines = [f"{ready} of {len(self.nodes)} nodes ready in {self.namespace}, ROS domain {self.domain}."]
        if self.closed:
            lines.append(f"Closed to the network (transport {self.transport}): no node listens off this machine.")
        else:
            where = ", ".join(f"{node.name} on {socket}" for node in self.nodes for socket in node.open_sockets)
            lines.append(f"OPEN to the network (transport {self.transport}): {where}.")
        if self.arguments and not self.supervisor:
            lines.append("Its supervisor was killed, so nothing restarts a node: `reachy-agent up` starts it all anew.")
        if self.arguments:
            endpoint = self.arguments["model_endpoint"] or "none, commands only"
            lines.append(f"Robot: {self.arguments['robot']}. Language model: {endpoint}.")
        if self.mind is not None:
            lines.append(str(self.mind))
        return lines


def open_sockets(pids: Iterable[int]) -> dict[int, list[str]]:
    """Finds sockets of these processes that listen off the loopback device.

    A UDP socket counts unless it is connected, because a connected one (a name look-up, say) takes only what its peer
    sends; a TCP socket counts when it listens. Processes that have ended have none.

    Returns:
        Such sockets as `udp 0.0.0.0:7410`, by process id; a closed process is left out.
    """
    found = {pid: [_name(entry) for entry in _inet_sockets(pid) if _reachable(entry)] for pid in pids}
    return {pid: sockets for pid, sockets in found.items() if sockets}


def require_closed(pids: Iterable[int]) -> None:
    """Checks that no stranger on the network can reach these processes.

    Raises:
        AgentError: `INTERNAL`, naming the process and its socket.
    """
    for pid, sockets in open_sockets(pids).items():
        raise AgentError(
            ErrorCode.INTERNAL,
            f"Process {pid} listens on {', '.join(sockets)}, where the network could command the robot. Everything is "
            "stopped. If that is what you want, say transport:=network.",
        )


def _inet_sockets(pid: int) -> list[Any]:
    try:
        return list(psutil.Process(pid).net_connections(kind="inet"))
    except psutil.NoSuchProcess:
        return []


def _reachable(entry: Any) -> bool:
    if entry.raddr or (entry.type == socket.SOCK_STREAM and entry.status != psutil.CONN_LISTEN):
        return False
    address = ipaddress.ip_address(entry.laddr.ip)
    mapped = getattr(address, "ipv4_mapped", None)
    return not (mapped or address).is_loopback


def _name(entry: Any) -> str:
    kind = "tcp" if entry.type == socket.SOCK_STREAM else "udp"
    return f"{kind} {entry.laddr.ip}:{entry.laddr.port}"
