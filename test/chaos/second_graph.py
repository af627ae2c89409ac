"""A few nodes beside the graph of a campaign, in a namespace of their own, which may fail to start."""

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
"""Seconds that it has for either, on however busy a machine."""


@dataclass
class SecondGraph:
    """One that was started.

    Attributes:
        namespace: Of its names.
        nodes: That run in it.
        supervisor: Of them.
        output: What the supervisor wrote: a pipe that nobody reads would stop it once it is full.
    """

    namespace: str
    nodes: Sequence[str]
    supervisor: subprocess.Popen[bytes]
    output: Path

    def await_ready(self, client: GraphClient) -> bool:
        """Waits until every node is ready. Returns whether that came; it does not where the supervisor ends.

        Args:
            client: In this graph.
        """
        watches = [HeartbeatMonitor(client.node, name) for name in self.nodes]
        patience = Deadline(STARTING)
        while not (ready := all(watch.ready for watch in watches)) and not patience.passed:
            if self.supervisor.poll() is not None:
                return False
            client.pause()
        return ready

    def deaths(self) -> list[str]:
        """Unexpected ends of its nodes' processes."""
        record = load(self.namespace)
        nodes = {} if record is None else record.nodes
        return [f"{name} {process.last_end}" for name, process in nodes.items() if process.last_end]

    def complaint(self) -> str:
        """Returns the output of the supervisor after its end."""
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
    """Starts it, and takes it down in the end.

    Args:
        namespace: Its own.
        nodes: To be started.
        arguments: Of the graph, as `name:=value`.
        before: Program, with its arguments, that starts it.
        environment: Variables of its processes, besides those of this one.

    Yields:
        It, and a client in it.
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
