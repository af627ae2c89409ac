"""Health of a graph for `reachy-agent status`: the state of its nodes, and their access to the network."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.settings_file import FILE_NAME
from reachy_agent_ros.bringup import Arguments, parameters_of
from reachy_agent_ros.core.names import AGENT, GATEWAY

NodeState = Literal["starting", "ready", "degraded", "stopping", "silent"]


@dataclass
class NodeHealth:
    """Health of a node.

    Attributes:
        name: Name relative to the namespace.
        state: State in the node's heartbeat; "silent" without a heartbeat.
        detail: The node's explanation of its state.
        pid: Process id; 0 if unknown.
        age: Time since the process started, s.
        restarts: Number of restarts.
        last_end: Exit status and reason of the last unexpected end, empty if there was none.
        resident_mb: Resident memory of the process, MiB.
        open_sockets: Sockets that listen outside the loopback device; None if they are unknown, because the process
            belongs to another user.
    """

    name: str
    state: NodeState = "silent"
    detail: str = ""
    pid: int = 0
    age: float = 0.0
    restarts: int = 0
    last_end: str = ""
    resident_mb: float = 0.0
    open_sockets: list[str] | None = field(default_factory=list)

    @property
    def ready(self) -> bool:
        """Whether the node is ready. A degraded node is also ready."""
        return self.state in ("ready", "degraded")

    @property
    def degraded(self) -> bool:
        """Whether the node works with limitations. The attribute `detail` describes them."""
        return self.state == "degraded"

    @property
    def note(self) -> str:
        """Human-readable explanation of the state in one line; empty if the state needs no explanation."""
        return self.detail or ("" if self.ready else self.last_end)


@dataclass
class AgentHealth:
    """Status of the agent.

    Attributes:
        state: "initializing", "ready", "degraded" (idle, but its node is degraded), "processing",
            "waiting_for_approval", "error", "shutdown".
        detail: The agent's explanation of its state.
        persona: Name of the persona.
        session_id: Id of the conversation that spoken sentences belong to.
        turns_waiting: Number of turns in the queue behind the running one.
    """

    state: str
    detail: str
    persona: str
    session_id: str
    turns_waiting: int

    def __str__(self) -> str:
        """Returns a human-readable description in one line."""
        detail = f" ({self.detail})" if self.detail else ""
        waiting = f", {self.turns_waiting} turns waiting" if self.turns_waiting else ""
        state = self.state.replace("_", " ")
        return f"Agent: {state}{detail}{waiting}. Persona: {self.persona}. Conversation: {self.session_id}."


@dataclass
class GraphHealth:
    """Health of a graph.

    Attributes:
        namespace: ROS namespace.
        domain: ROS domain id.
        supervisor: Process id of `reachy-agent up`; 0 if it was killed or did not start the graph.
        transport: Transport of the graph; "unknown" if `reachy-agent up` did not start it.
        arguments: Arguments of the graph; empty if `reachy-agent up` did not start it.
        nodes: Every node that should run; every live node if `reachy-agent up` did not start the graph.
        mind: Status of the agent; None if it does not publish one.
        emergency_stop: Reason for the latched emergency stop; empty if there is none or the robot's state is unknown.
    """

    namespace: str
    domain: str
    supervisor: int
    transport: str
    arguments: dict[str, str]
    nodes: list[NodeHealth]
    mind: AgentHealth | None = None
    emergency_stop: str = ""

    @property
    def closed(self) -> bool | None:
        """Whether no node is reachable from the network. None if this is unknown."""
        if any(node.open_sockets for node in self.nodes):
            return False
        return None if any(node.open_sockets is None for node in self.nodes) else True

    @property
    def ready(self) -> bool:
        """Whether every node is ready. A degraded node is also ready."""
        return all(node.ready for node in self.nodes)

    @property
    def degraded(self) -> list[str]:
        """Names of the degraded nodes."""
        return [node.name for node in self.nodes if node.degraded]

    @property
    def good(self) -> bool:
        """Whether every node is ready and, unless the arguments allow it, none is known to be open to the network."""
        return self.ready and (self.closed is not False or self.transport == "network")

    def as_json(self) -> str:
        """Returns the health as a JSON object."""
        verdicts = {"closed": self.closed, "ready": self.ready, "degraded": self.degraded}
        return json.dumps({**asdict(self), **verdicts})

    def summary(self) -> list[str]:
        """Returns human-readable lines: emergency stop, nodes, network, robot, model, console and agent."""
        ready = f"{sum(node.ready for node in self.nodes)} of {len(self.nodes)} nodes"
        where = f"in {self.namespace}, ROS domain {self.domain}"
        lines = [f"{ready} ready {where}."]
        if self.degraded:
            lines = [f"{ready} run {where}, {len(self.degraded)} degraded: {', '.join(self.degraded)}."]
        if self.emergency_stop:
            reason = f"EMERGENCY STOP ({self.emergency_stop}): the robot does not move."
            lines.insert(0, f"{reason} Let it move again: reachy-agent stop --reset")
        lines += self._late_lines()
        if self.closed:
            lines.append(f"Closed to the network (transport {self.transport}): nodes listen on this machine only.")
        elif self.closed is None:
            lines.append("Network access unknown: the nodes belong to another user. Run the command as that user.")
        else:
            where = ", ".join(f"{node.name} on {socket}" for node in self.nodes for socket in node.open_sockets or ())
            lines.append(f"OPEN to the network (transport {self.transport}): {where}.")
        if self.arguments and not self.supervisor:
            lines.append("The supervisor was killed, so nodes are not restarted. Restart the graph: reachy-agent up")
        if self.arguments:
            lines.append(f"Robot: {self.arguments['robot']}. Language model: {configured_model(self.arguments)}.")
        lines += [f"Console: {node.detail}" for node in self.nodes if node.name == GATEWAY and node.state == "ready"]
        if self.mind is not None:
            lines.append(str(self.mind))
        return lines

    def _late_lines(self) -> list[str]:
        """Returns human-readable lines about nodes that are not ready: first those that ended, then the others."""
        late = [node for node in self.nodes if not node.ready]
        ended = [node for node in late if node.last_end]
        waiting = [node for node in late if not node.last_end]
        lines = [f"{node.name} {node.last_end.rstrip('.')}. Restarts: {node.restarts}." for node in ended]
        if ended and self.supervisor:
            lines.append("The graph stays up and keeps restarting nodes that end.")
        if waiting:
            lines.append(f"Not ready yet: {', '.join(node.name for node in waiting)}.")
        if late:
            lines.append(f"Find out why: reachy-agent logs {(ended or waiting)[0].name}")
        return lines


def configured_model(arguments: Arguments) -> str:
    """Returns a description of the configured language model.

    The description is its endpoint, the name of the file that lists endpoints, or "none, commands only".

    Args:
        arguments: Arguments from `bringup.resolve`.
    """
    parameters = parameters_of(AGENT, arguments)
    if parameters["model_endpoint"]:
        return Endpoint(str(parameters["model_endpoint"])).shown
    return FILE_NAME if Path(str(parameters["directory"]), FILE_NAME).exists() else "none, commands only"
