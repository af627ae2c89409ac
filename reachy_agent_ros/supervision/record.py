"""The record of a running graph: a file beside its logs, from which commands know and end its processes."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psutil

from reachy_agent_ros.core.paths import runtime_directory


@dataclass
class ProcessRecord:
    """A process, with the time of its start, because process ids are used again.

    Attributes:
        pid: Process id.
        created: Start of the process, s since the epoch.
        restarts: Number of times that it was started again.
        last_end: How it last ended by itself, and why; empty if it has not.
    """

    pid: int
    created: float
    restarts: int = 0
    last_end: str = ""

    @classmethod
    def of(cls, pid: int) -> ProcessRecord:
        """Makes the record of a process that exists."""
        return cls(pid, psutil.Process(pid).create_time())

    @property
    def alive(self) -> bool:
        """Whether this very process is still running."""
        try:
            process = psutil.Process(self.pid)
            return bool(process.create_time() == self.created and process.status() != psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return False


@dataclass
class GraphRecord:
    """A graph that `reachy-agent up` runs.

    Attributes:
        supervisor: The process that keeps it running.
        arguments: Arguments with which it was started.
        environment: Transport variables that a process needs to join; None means unset.
        nodes: The latest process of each node, by the node's name.
    """

    supervisor: ProcessRecord
    arguments: dict[str, str]
    environment: dict[str, str | None]
    nodes: dict[str, ProcessRecord] = field(default_factory=dict)

    @property
    def alive(self) -> bool:
        """Whether any of it is still running: the nodes outlive a supervisor that was killed."""
        return self.supervisor.alive or any(node.alive for node in self.nodes.values())

    def save(self) -> None:
        """Writes the file; a reader sees the old record or the new one, never half of it."""
        path = _path(self.arguments["namespace"])
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(self), indent=1))
        draft.replace(path)

    def forget(self) -> None:
        """Removes the file."""
        _path(self.arguments["namespace"]).unlink(missing_ok=True)


def load(namespace: str) -> GraphRecord | None:
    """The record of the graph in a namespace of this ROS domain, running or not; None if there is none."""
    try:
        stored = json.loads(_path(namespace).read_text())
    except FileNotFoundError:
        return None
    nodes = {name: ProcessRecord(**process) for name, process in stored.pop("nodes").items()}
    return GraphRecord(supervisor=ProcessRecord(**stored.pop("supervisor")), nodes=nodes, **stored)


def graph_directory(namespace: str) -> Path:
    """Folder of one graph: its record, and each node's log and parameters. Created on first use."""
    domain = os.environ.get("ROS_DOMAIN_ID", "0")
    directory = runtime_directory() / f"domain{domain}{namespace.replace('/', '.')}"
    directory.mkdir(mode=0o700, exist_ok=True)
    return directory


def stop_processes(records: Sequence[ProcessRecord], grace: float = 6.0) -> None:
    """Ends processes that are not our children.

    They get SIGTERM, once more after `grace` seconds, and SIGKILL, with their groups, after as many again; not SIGINT,
    which a supervisor ignores that was started in the background of a script. Processes that have ended, and others
    that have their ids now, are left alone.
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
