"""Isolated graph for benchmarks, with its own ROS domain and folders."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from reachy_agent_ros.cli.interrupt import ended_by_signals
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.client import GraphClient

COMMAND = (sys.executable, "-m", "reachy_agent_ros.cli.cli")
PATIENCE = 300.0  # s


@contextmanager
def running_graph(
    *arguments: str,
    files: Mapping[str, str] | None = None,
    domain: str = "77",
    environment: Mapping[str, str] | None = None,
) -> Iterator[tuple[GraphClient, float]]:
    """Runs the whole graph during a `with` block.

    Args:
        arguments: Arguments of the graph, as `name:=value`.
        files: Text files to create in the state folder, by name.
        domain: ROS domain of the graph.
        environment: Additional environment variables of its processes.

    Yields:
        A client in the graph, and the time from the command until every node is ready, s.
    """
    with ended_by_signals(), tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            ROS_DOMAIN_ID=domain,
            REACHY_AGENT_RUNTIME=str(Path(folder, "runtime")),
            REACHY_AGENT_STATE=str(Path(folder, "state")),
        )
        for name, text in (files or {}).items():
            path = Path(folder, "state", name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        started = time.monotonic()
        try:
            start([*COMMAND, "up", "--detach", *arguments], environment or {})
            ready = time.monotonic() - started
            with GraphClient("bench", names.NAMESPACE) as client:
                yield client, ready
        finally:
            subprocess.run([*COMMAND, "down"], check=True, stdout=subprocess.DEVNULL)


def start(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Starts a graph in the background, and waits until every node is ready, which can take long on a busy machine.

    Args:
        command: Command that starts the graph.
        environment: Additional environment variables of its processes.

    Raises:
        subprocess.CalledProcessError: The graph does not start.
    """
    started = subprocess.run(command, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    if started.returncode != 0:
        subprocess.run([*COMMAND, "status", "--wait", str(PATIENCE)], check=True, stdout=sys.stderr)
