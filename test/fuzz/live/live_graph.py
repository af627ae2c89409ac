"""A whole running graph under attack, and everything that must stay true of it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psutil
import requests

from bench.bridge_diagnostics import BridgeDiagnostics
from bench.paced_model import PacedModel
from bench.running_graph import running_graph
from reachy_agent_ros.bringup import node_names
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.supervision.record import GraphRecord, graph_directory, load

DOMAIN = "93"
PORT = 8093
"""Of the gateway, the same after a death."""

MOST_GROWTH = 500.0
"""MB that all processes together may take more than before: caches fill, and models load when first asked for."""

_PATIENCE = 60.0
"""s in which every node must be heard again, however much it was just sent."""

_ANSWER = 10.0
"""s for the gateway to answer somebody else."""

_VARIABLE = "REACHY_FUZZ_KEY"
"""Of the environment, which `models.yaml` names."""

_MODELS = """\
quick:
  endpoints: [{{url: "{url}", model: scripted, api_key_variable: {variable}}}]
"""


@dataclass
class LiveGraph:
    """A graph with a secret in its configuration.

    Attributes:
        client: In it.
        address: Of its gateway, with scheme and port.
        bridge: Counts commands outside the envelope. Measured postures are not judged: they are among what is forged.
        canary: The secret.
        watches: Heartbeats by node.
        processes: The first process of each node.
        memory: MB of all of them at first.
    """

    client: GraphClient
    address: str
    bridge: BridgeDiagnostics
    canary: str
    watches: dict[str, HeartbeatMonitor]
    processes: dict[str, psutil.Process] = field(default_factory=dict)
    memory: float = 0.0

    def __post_init__(self) -> None:
        """Takes note of how it is before anything happens."""
        self.processes = {name: psutil.Process(node.pid) for name, node in self._record().nodes.items()}
        self.memory = self.resident()

    def resident(self) -> float:
        """MB of all nodes' processes together; those that are gone count nothing."""
        alive = [process for process in self.processes.values() if process.is_running()]
        return sum(float(process.memory_info().rss) for process in alive) / 1e6

    def dead(self) -> str:
        """Which nodes were restarted or are gone, empty for none; cheap enough for every case."""
        now = {name: node.pid for name, node in self._record().nodes.items()}
        gone = [name for name, process in self.processes.items() if now.get(name) != process.pid or _ended(process)]
        for name in gone:  # told once
            self.processes[name] = psutil.Process(now[name]) if psutil.pid_exists(now[name]) else self.processes[name]
        return f"{', '.join(gone)} died" if gone else ""

    def deaf(self) -> str:
        """Whether its gateway keeps others waiting, empty where it does not."""
        try:
            requests.get(f"{self.address}/api/v1/health", timeout=_ANSWER)
        except requests.RequestException as error:
            return f"Nobody else is answered within {_ANSWER:g} s: {type(error).__name__}"
        return ""

    def broken(self) -> list[str]:
        """Every promise that it does not keep, a sentence each; waits for what is late."""
        found = [sentence for sentence in (self.dead(), self.silent()) if sentence]
        if self.bridge.outside:
            found.append(f"{self.bridge.outside} commands outside the envelope")
        if self.resident() > self.memory + MOST_GROWTH:
            found.append(f"its processes take {self.resident():.0f} MB, and took {self.memory:.0f} MB")
        return found + self._told()

    def silent(self) -> str:
        """Which nodes are not ready, empty for none; waits for those that come late."""
        patience = Deadline(_PATIENCE)
        while silent := [name for name, watch in self.watches.items() if not watch.ready]:
            if patience.passed:
                return f"{', '.join(silent)} not ready within {_PATIENCE:g} s"
            time.sleep(0.1)
        return ""

    def _told(self) -> list[str]:
        """Logs with the secret."""
        secret = self.canary.encode()
        logs = [path for path in graph_directory(names.NAMESPACE).rglob("*") if path.is_file()]
        return [f"{path.name} holds a secret" for path in logs if secret in path.read_bytes()]

    @staticmethod
    def _record() -> GraphRecord:
        record = load(names.NAMESPACE)
        assert record is not None, "the supervisor has ended"
        return record


def _ended(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


@contextmanager
def live_graph() -> Iterator[LiveGraph]:
    """Starts one in simulation, whose model says one sentence, and takes it down in the end."""
    canary = secrets.token_urlsafe(24)
    with PacedModel(["Yes."], 0, 0.0, native=True) as model:
        files = {"models.yaml": _MODELS.format(url=model.url, variable=_VARIABLE)}
        arguments = (f"gateway_port:={PORT}", "gateway_rate:=100000/second")
        environment = {_VARIABLE: canary}
        with running_graph(*arguments, files=files, domain=DOMAIN, environment=environment) as (client, _):
            bridge = BridgeDiagnostics(client.node)
            watches = {name: client.watch(name) for name in node_names()}
            gateway = watches[names.GATEWAY].last
            assert gateway is not None
            yield LiveGraph(client, gateway.detail, bridge, canary, watches)
