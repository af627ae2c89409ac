"""Record of a running graph, which is stored next to its logs.

Commands use the record to find and stop the processes of the graph.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psutil

from reachy_agent_ros.bringup import resolve
from reachy_agent_ros.core.paths import runtime_directory


@dataclass
class ProcessRecord:
    """Record of a process. It includes the start time, because process ids are reused.

    Attributes:
        pid: Process id.
        created: Start time of the process, s since the epoch.
        restarts: Number of restarts.
        last_end: Exit status and reason of the last unexpected end; empty if there was none.
    """

    pid: int
    created: float
    restarts: int = 0
    last_end: str = ""

    @classmethod
    def of(cls, pid: int) -> ProcessRecord:
        """Creates the record of an existing process."""
        return cls(pid, psutil.Process(pid).create_time())

    @property
    def alive(self) -> bool:
        """Whether the process is still running and its id has not been reused."""
        try:
            process = psutil.Process(self.pid)
            return bool(process.create_time() == self.created and process.status() != psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return False


@dataclass
class GraphRecord:
    """Record of a graph that `reachy-agent up` has started.

    Attributes:
        supervisor: Process of the supervisor.
        arguments: Arguments of the graph.
        environment: Transport variables that a process needs to join; None means unset.
        nodes: Latest process of each node, by name.
    """

    supervisor: ProcessRecord
    arguments: dict[str, str]
    environment: dict[str, str | None]
    nodes: dict[str, ProcessRecord] = field(default_factory=dict)

    @property
    def alive(self) -> bool:
        """Whether any process is still running. Nodes continue to run after their supervisor has been killed."""
        return self.supervisor.alive or any(node.alive for node in self.nodes.values())

    def save(self) -> None:
        """Writes the file atomically."""
        path = _path(self.arguments["namespace"])
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(self), indent=1))
        draft.replace(path)

    def forget(self) -> None:
        """Removes the file."""
        _path(self.arguments["namespace"]).unlink(missing_ok=True)


def load(namespace: str) -> GraphRecord | None:
    """Returns the record of the graph in a namespace of this ROS domain, or None.

    The graph may have ended.
    """
    try:
        stored = json.loads(_path(namespace).read_text())
    except FileNotFoundError:
        return None
    nodes = {name: ProcessRecord(**process) for name, process in stored.pop("nodes").items()}
    return GraphRecord(supervisor=ProcessRecord(**stored.pop("supervisor")), nodes=nodes, **stored)


def current_arguments(namespace: str) -> dict[str, str]:
    """Returns the arguments of the running graph. If no graph is running, the settings determine the arguments.

    Args:
        namespace: Namespace of the graph.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: no graph is running, and the settings are invalid.
    """
    record = load(namespace)
    return record.arguments if record is not None and record.alive else resolve({})


def graph_directory(namespace: str) -> Path:
    """Returns the folder of a graph for its record, logs and node parameters. Creates it on first use."""
    domain = os.environ.get("ROS_DOMAIN_ID", "0")
    directory = runtime_directory() / f"domain{domain}{namespace.replace('/', '.')}"
    directory.mkdir(mode=0o700, exist_ok=True)
    return directory


def stop_processes(records: Sequence[ProcessRecord], grace: float = 6.0) -> None:
    """Stops processes that are not children of this process.

    Sends SIGTERM, again after `grace` seconds, and after another `grace` seconds SIGKILL to their process groups. Does
    not use SIGINT, because a supervisor that a script started in the background ignores it. Processes that have ended,
    and others that have reused their ids, are not affected.
    """
    for _ in range(2):
        processes = [psutil.Process(record.pid) for record in records if record.alive]
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGTERM)
        psutil.wait_procs(processes, timeout=grace)
    for record in records:
        if record.alive:
            with suppress(ProcessLookupError):
                os.killpg(record.pid, signal.SIGKILL)


def _path(namespace: str) -> Path:
    return graph_directory(namespace) / "graph.json"
