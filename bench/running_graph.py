"""A graph of the benchmark's own: other domain, other folders, nothing of a person's."""

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
    """Starts the whole graph, and takes it down in the end.

    Args:
        arguments: Of the graph, as `name:=value`.
        files: Texts that a person has put into the folder of what it keeps, by name.
        domain: ROS domain that it is in.
        environment: Variables of its processes, besides those of this one.

    Yields:
        A client in it, and the seconds from the command to every node's being ready.
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
    """Starts a graph in the background, and waits until every node is ready, on however busy a machine.

    Args:
        command: That starts it.
        environment: Variables of its processes, besides those of this one.

    Raises:
        subprocess.CalledProcessError: It does not come.
    """
    started = subprocess.run(command, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    if started.returncode != 0:
        subprocess.run([*COMMAND, "status", "--wait", str(PATIENCE)], check=True, stdout=sys.stderr)
