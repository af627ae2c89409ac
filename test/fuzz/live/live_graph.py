"""Running graph that receives invalid inputs, with checks of its invariants."""

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
"""Port of the gateway, which stays the same after a restart."""

MOST_GROWTH = 500.0
"""Allowed growth of the memory of all processes, MB: caches are filled, and models are loaded at their first use."""

_PATIENCE = 60.0
"""Time limit for every node to be ready again, s."""

_ANSWER = 10.0
"""Time limit for the response of the gateway to another client, s."""

_VARIABLE = "REACHY_FUZZ_KEY"
"""Environment variable of the API key, which `models.yaml` refers to."""

_MODELS = """\
quick:
  endpoints: [{{url: "{url}", model: scripted, api_key_variable: {variable}}}]
"""


@dataclass
class LiveGraph:
    """Running graph with a secret in its configuration, and checks of its invariants.

    Attributes:
        client: Client in the graph.
        address: URL of the gateway.
        bridge: Diagnostics with the number of commands outside the envelope. Measured postures are not checked, because
            the fuzzer also forges them.
        canary: The secret.
        watches: Heartbeat monitors by node.
        processes: Process of each node at the last check.
        memory: Memory of all processes before the attack, MB.
    """

    client: GraphClient
    address: str
    bridge: BridgeDiagnostics
    canary: str
    watches: dict[str, HeartbeatMonitor]
    processes: dict[str, psutil.Process] = field(default_factory=dict)
    memory: float = 0.0

    def __post_init__(self) -> None:
        """Records the processes and their memory before the first case."""
        self.processes = {name: psutil.Process(node.pid) for name, node in self._record().nodes.items()}
        self.memory = self.resident()

    def resident(self) -> float:
        """Returns the resident memory (MB) of all running processes."""
        alive = [process for process in self.processes.values() if process.is_running()]
        return sum(float(process.memory_info().rss) for process in alive) / 1e6

    def dead(self) -> str:
        """Returns the names of the nodes that have exited since the last check, or "".

        The check is fast enough to run after each case.
        """
        now = {name: node.pid for name, node in self._record().nodes.items()}
        gone = [name for name, process in self.processes.items() if now.get(name) != process.pid or _ended(process)]
        for name in gone:  # each death is reported once
            self.processes[name] = psutil.Process(now[name]) if psutil.pid_exists(now[name]) else self.processes[name]
        return f"{', '.join(gone)} died" if gone else ""

    def deaf(self) -> str:
        """Checks that the gateway responds to another client in time. Returns a description of the problem, or ""."""
        try:
            requests.get(f"{self.address}/api/v1/health", timeout=_ANSWER)
        except requests.RequestException as error:
            return f"The gateway did not respond to another client within {_ANSWER:g} s: {type(error).__name__}"
        return ""

    def broken(self) -> list[str]:
        """Checks all invariants after waiting for slow nodes. Returns a sentence for each violation."""
        found = [sentence for sentence in (self.dead(), self.silent()) if sentence]
        if self.bridge.outside:
            found.append(f"{self.bridge.outside} commands outside the envelope")
        if self.resident() > self.memory + MOST_GROWTH:
            found.append(f"the processes grew from {self.memory:.0f} MB to {self.resident():.0f} MB")
        return found + self._told()

    def silent(self) -> str:
        """Waits until all nodes are ready. Returns the names of the nodes that are not ready in time, or ""."""
        patience = Deadline(_PATIENCE)
        while silent := [name for name, watch in self.watches.items() if not watch.ready]:
            if patience.passed:
                return f"{', '.join(silent)} not ready within {_PATIENCE:g} s"
            time.sleep(0.1)
        return ""

    def _told(self) -> list[str]:
        """Returns a sentence for each log file that contains the secret."""
        secret = self.canary.encode()
        logs = [path for path in graph_directory(names.NAMESPACE).rglob("*") if path.is_file()]
        return [f"{path.name} contains a secret" for path in logs if secret in path.read_bytes()]

    @staticmethod
    def _record() -> GraphRecord:
        record = load(names.NAMESPACE)
        assert record is not None, "the supervisor has exited"
        return record


def _ended(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


@contextmanager
def live_graph() -> Iterator[LiveGraph]:
    """Starts a simulated graph with a stub of the language model. Stops the graph at the end of the `with` block."""
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
