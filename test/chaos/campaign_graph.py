"""Graph under test in a campaign: nodes in simulation, a stub of the language model, and monitors."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.bridge_diagnostics import BridgeDiagnostics
from bench.running_graph import COMMAND, running_graph, start
from chaos.answering_model import AnsweringModel
from chaos.envelope_watch import EnvelopeWatch
from chaos.ledger import Ledger, missing
from chaos.shifted_clock import ShiftedClock
from chaos.stored_records import read_stored
from chaos.workload import RULES, Workload
from reachy_agent_ros.bringup import node_names
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.gateway.access.token_file import FILE_NAME as TOKEN_FILE
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.roles import Role
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.supervision.record import GraphRecord, load

DOMAIN = "91"
PATIENCE = 60.0
"""Timeout for every node to be ready again, s."""


@dataclass
class CampaignGraph:
    """Running graph with its workload and monitors.

    Attributes:
        client: Client node in the graph.
        model: Model server of the agent.
        workload: Operations that make the graph store records.
        ledger: Records that the graph acknowledged.
        diagnostics: Diagnostics of the bridge.
        envelope: Monitor that counts postures and commands outside the envelope.
        clock: Wall clock of the processes of the graph.
        watches: Heartbeat monitor of every node, by name.
        short: Whether a fault should take seconds instead of minutes.
    """

    client: GraphClient
    model: AnsweringModel
    workload: Workload
    ledger: Ledger
    diagnostics: BridgeDiagnostics
    envelope: EnvelopeWatch
    clock: ShiftedClock
    watches: dict[str, HeartbeatMonitor]
    short: bool

    @property
    def record(self) -> GraphRecord:
        """Record of the graph that the supervisor wrote last."""
        record = load(names.NAMESPACE)
        assert record is not None, "the supervisor has exited"
        return record

    def process(self, name: str) -> psutil.Process:
        """Returns the process that runs a node."""
        return psutil.Process(self.record.nodes[name].pid)

    def restarts(self) -> dict[str, int]:
        """Returns the number of restarts of each node."""
        return {name: process.restarts for name, process in self.record.nodes.items()}

    def await_whole(self) -> float:
        """Waits until the latest process of every node is ready. Returns the waiting time (s).

        Raises:
            AssertionError: A node was not ready within `PATIENCE`.
        """
        began, patience = time.monotonic(), Deadline(PATIENCE)
        while missing := self._missing_nodes():
            assert not patience.passed, f"not ready within {PATIENCE} s: {', '.join(missing)}"
            time.sleep(0.05)
        return time.monotonic() - began

    def lost(self) -> list[str]:
        """Returns the acknowledged records that cannot be read back."""
        entries = self.ledger.entries()
        return missing(entries, read_stored(state_directory()))

    def start_again(self) -> None:
        """Starts the graph again with the same arguments, after the supervisor has exited."""
        settings = [f"{name}:={value}" for name, value in self._settings.items()]
        start([*COMMAND, "up", "--detach", *settings], self.clock.environment)

    def __post_init__(self) -> None:
        """Saves the arguments of the graph. The supervisor deletes its record of the arguments when it exits."""
        self._settings = dict(self.record.arguments)

    def _missing_nodes(self) -> list[str]:
        record = load(names.NAMESPACE)
        pids = {name: process.pid for name, process in record.nodes.items()} if record is not None else {}
        return [name for name, watch in self.watches.items() if not _is_ready(watch, pids.get(name))]


def _a_token(path: Path) -> str:
    """Returns the content of a token file with one token. The gateway requires at least one token to start."""
    TokenFile(path).make("campaign", Role.OBSERVER)
    return path.read_text()


def _is_ready(watch: HeartbeatMonitor, pid: int | None) -> bool:
    return watch.ready and watch.last is not None and watch.last.pid == pid


@contextmanager
def campaign_graph(short: bool, domain: str = DOMAIN) -> Iterator[CampaignGraph]:
    """Starts a graph, and stops it at the end of the context.

    Args:
        short: Whether a fault should take seconds instead of minutes.
        domain: ROS domain of the graph.
    """
    with tempfile.TemporaryDirectory() as folder, AnsweringModel() as model:
        clock = ShiftedClock(Path(folder))
        arguments = (
            f"model_endpoint:={model.url}",
            "model_name:=scripted",
            "gateway_port:=0",
            "gateway_tokens:=required",
        )
        files = {"permissions.yaml": RULES, TOKEN_FILE: _a_token(Path(folder, TOKEN_FILE))}
        with running_graph(*arguments, files=files, domain=domain, environment=clock.environment) as (client, _):
            ledger, diagnostics = Ledger(), BridgeDiagnostics(client.node)
            workload = Workload(client, ledger)
            envelope = EnvelopeWatch(client.node, diagnostics)
            watches = {name: client.watch(name) for name in node_names()}
            try:
                yield CampaignGraph(client, model, workload, ledger, diagnostics, envelope, clock, watches, short)
            finally:
                workload.close()
