"""Second graph of a few nodes in a separate namespace, which may fail to start."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.running_graph import COMMAND
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.supervision.record import load

STARTING, ENDING = 120.0, 60.0
"""Time limits for start and shutdown, s, also on a busy machine."""


@dataclass
class SecondGraph:
    """Second graph that has been started.

    Attributes:
        namespace: ROS namespace of the graph.
        nodes: Names of its nodes.
        supervisor: Process of its supervisor.
        output: File with the output of the supervisor, because a full pipe would block the supervisor.
    """

    namespace: str
    nodes: Sequence[str]
    supervisor: subprocess.Popen[bytes]
    output: Path

    def await_ready(self, client: GraphClient) -> bool:
        """Waits until every node is ready. Returns False after a timeout or if the supervisor exits.

        Args:
            client: Client in this graph.
        """
        watches = [HeartbeatMonitor(client.node, name) for name in self.nodes]
        patience = Deadline(STARTING)
        while not (ready := all(watch.ready for watch in watches)) and not patience.passed:
            if self.supervisor.poll() is not None:
                return False
            client.pause()
        return ready

    def deaths(self) -> list[str]:
        """Returns the nodes whose process ended unexpectedly, each with the reason."""
        record = load(self.namespace)
        nodes = {} if record is None else record.nodes
        return [f"{name} {process.last_end}" for name, process in nodes.items() if process.last_end]

    def complaint(self) -> str:
        """Waits until the supervisor has exited. Returns its output."""
        self.supervisor.wait(ENDING)
        return self.output.read_text()


@contextmanager
def second_graph(
    namespace: str,
    nodes: Sequence[str],
    *arguments: str,
    before: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Iterator[tuple[SecondGraph, GraphClient]]:
    """Starts a second graph, and stops it at the end of the context.

    Args:
        namespace: ROS namespace of the graph.
        nodes: Names of the nodes to start.
        arguments: Arguments of the graph, as `name:=value`.
        before: Command prefix, such as `unshare`, that starts the graph.
        environment: Additional environment variables of its processes.

    Yields:
        The graph and a client in it.
    """
    with TemporaryDirectory() as state, ExitStack() as stack:
        own = (f"namespace:={namespace}", f"nodes:={','.join(nodes)}", "gateway_port:=0", f"state_directory:={state}")
        output = Path(state, "output.txt")
        with output.open("wb") as file:
            supervisor = subprocess.Popen(
                [*before, *COMMAND, "up", "--quiet", *own, *arguments],
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
            )
        stack.callback(_end, supervisor)
        with GraphClient("campaign", namespace) as client:
            yield SecondGraph(namespace, nodes, supervisor, output), client


def _end(supervisor: subprocess.Popen[bytes]) -> None:
    supervisor.send_signal(signal.SIGTERM)
    try:
        supervisor.wait(ENDING)
    finally:
        supervisor.kill()
