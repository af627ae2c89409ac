"""The whole graph as supervised processes, which is what `reachy-agent up` runs until told to stop."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType

from reachy_agent_ros.bringup import Arguments, NodeSpecification, selected
from reachy_agent_ros.core import instance
from reachy_agent_ros.supervision.health import require_closed
from reachy_agent_ros.supervision.record import GraphRecord, ProcessRecord, graph_directory, load, stop_processes
from reachy_agent_ros.supervision.supervised_process import NodeLog, ProcessSpecification, SupervisedProcess
from reachy_agent_ros.supervision.transport import require_shared_memory, transport_environment

CHECK_PERIOD = 5.0
"""Seconds between two calls of the check."""


def run_graph(arguments: Arguments, echo: bool) -> int:
    """Runs the graph until it is told to end, see `Supervisor.run`.

    Args:
        arguments: As `bringup.resolve` returns them.
        echo: Whether what nodes print goes to the terminal as well as to their log files.

    Returns:
        0 when every node ended with code 0.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: a graph is already running in this namespace; `STORAGE_FAILED`: there is no
            shared memory left; `INTERNAL`: a node opened a socket to the network that the transport does not allow.
    """
    namespace = arguments["namespace"]
    _lock = instance.claim(f"{namespace}/graph")
    _stop_orphans(namespace)
    require_shared_memory()
    settings = transport_environment(arguments["transport"])
    record = GraphRecord(ProcessRecord.of(os.getpid()), dict(arguments), settings)
    record.save()
    directory = graph_directory(namespace)
    environment = _environment(arguments, settings)
    processes = [_process(node, arguments, directory) for node in selected(arguments)]
    return Supervisor(processes, environment, record, directory, _check(arguments), echo).run()


class Supervisor:
    """Keeps processes running, and takes them down in order. Use it from the main thread, which owns signals.

    Args:
        specifications: In the order of starting; stopping is the reverse.
        environment: The complete environment of the processes.
        record: Kept up to date on disk while they run.
        log_directory: Folder for one log file per process.
        check: Called every few seconds with the ids of the running processes; if it raises an `AgentError`, all stop.
        echo: Whether what they print goes to the terminal as well as to their log files.
    """

    def __init__(
        self,
        specifications: Sequence[ProcessSpecification],
        environment: Mapping[str, str],
        record: GraphRecord,
        log_directory: Path,
        check: Callable[[list[int]], None],
        echo: bool,
    ) -> None:
        self._record = record
        self._check = check
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._hurry = threading.Event()
        width = max(len(specification.name) for specification in specifications)
        self._processes = [
            SupervisedProcess(
                specification,
                environment,
                NodeLog(specification.name, log_directory, index, width, echo),
                self._wake.set,
            )
            for index, specification in enumerate(specifications)
        ]

    def run(self) -> int:
        """Runs until SIGINT, SIGTERM or SIGHUP; a second signal kills the processes that are left.

        SIGINT and SIGHUP stay ignored if they were, as in the background of a script or below `nohup`.

        Returns:
            0 when every process then ended with code 0, else 1.

        Raises:
            AgentError: What `check` raised, once everything is stopped.
        """
        signal.signal(signal.SIGTERM, self._on_signal)
        for number in (signal.SIGINT, signal.SIGHUP):
            ignored = signal.getsignal(number) is signal.SIG_IGN
            signal.signal(number, _ignore if ignored else self._on_signal)
        try:
            self._supervise()
        finally:
            codes = [process.stop(self._hurry) for process in reversed(self._processes)]
            self._record.forget()
        return int(any(codes))

    def _supervise(self) -> None:
        next_check = time.monotonic() + CHECK_PERIOD
        while not self._stop.is_set():
            changes = [process.update() for process in self._processes]
            if any(changes):
                self._save()
            if time.monotonic() >= next_check:
                self._check([process.record.pid for process in self._processes if process.record])
                next_check = time.monotonic() + CHECK_PERIOD
            next_start = min(process.next_start for process in self._processes)
            self._wake.wait(max(0.0, min(next_check, next_start) - time.monotonic()))
            self._wake.clear()

    def _save(self) -> None:
        self._record.nodes = {process.name: process.record for process in self._processes if process.record}
        self._record.save()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self._stop.is_set():
            self._hurry.set()
        self._stop.set()
        self._wake.set()


def _check(arguments: Arguments) -> Callable[[list[int]], None]:
    return (lambda _pids: None) if arguments["transport"] == "network" else require_closed


def _stop_orphans(namespace: str) -> None:
    """Ends the nodes of a supervisor that was killed, because they hold the names of the new ones."""
    previous = load(namespace)
    if previous is not None:
        stop_processes(list(reversed(previous.nodes.values())))


def _environment(arguments: Arguments, settings: dict[str, str | None]) -> dict[str, str]:
    merged = {
        **os.environ,
        **settings,
        "REACHY_AGENT_STATE": arguments["state_directory"],
        "PYTHONUNBUFFERED": "1",
    }
    return {name: value for name, value in merged.items() if value is not None}


def _process(node: NodeSpecification, arguments: Arguments, directory: Path) -> ProcessSpecification:
    parameters = directory / f"{node.name}.yaml"
    # JSON is YAML, and says of every value whether it is a string.
    parameters.write_text(json.dumps({"/**": {"ros__parameters": node.parameters(arguments)}}, indent=1))
    # The log of each node is kept here; rcl's own would add a file to ~/.ros/log at every start.
    command = [sys.executable, "-m", node.module, "--ros-args", "--disable-external-lib-logs"]
    command += ["-r", f"__ns:={arguments['namespace']}", "--params-file", str(parameters)]
    return ProcessSpecification(node.name, command, node.nice, node.restart_delay)


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Ignores a signal in this process alone: a child would inherit SIG_IGN, and SIGINT must end a node that starts."""
