"""Supervisor of the graph's processes, used by `reachy-agent up`."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType

from filelock import AcquireReturnProxy, FileLock

from reachy_agent_ros.bringup import Arguments, NodeSpecification, node_parameters, selected
from reachy_agent_ros.core import instance
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.storage.state_folder import claimed_state
from reachy_agent_ros.supervision.open_sockets import require_closed
from reachy_agent_ros.supervision.record import GraphRecord, ProcessRecord, graph_directory, load, stop_processes
from reachy_agent_ros.supervision.restart_request import RESTART_SIGNAL, take_restart_request
from reachy_agent_ros.supervision.supervised_process import NodeLog, ProcessSpecification, SupervisedProcess
from reachy_agent_ros.supervision.transport import require_shared_memory, transport_environment

CHECK_PERIOD = 5.0
"""Period of the network check, s."""


@contextmanager
def claimed_graph(arguments: Arguments) -> Iterator[None]:
    """Reserves the namespace and the state directory of a graph during a `with` block.

    The reservation happens before the nodes of the graph start.

    Stops nodes that a killed supervisor has left running.

    Args:
        arguments: Arguments from `bringup.resolve`.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: a graph is already running in this namespace or with this state directory;
            `STORAGE_FAILED`: the state directory is not writable, or shared memory is full.
    """
    namespace = arguments["namespace"]
    with _claimed_namespace(namespace):
        _stop_orphans(namespace)
        require_shared_memory()
        with claimed_state(Path(arguments["state_directory"])):
            yield


def _claimed_namespace(namespace: str) -> AcquireReturnProxy[FileLock]:
    try:
        return instance.claim(f"{namespace}/graph")
    except AgentError as error:
        raise AgentError(error.code, f"{error.message} Stop it first: reachy-agent down") from None


def graph_supervisor(arguments: Arguments, read_again: Callable[[], Arguments], echo: bool) -> Supervisor:
    """Creates the supervisor of a graph, and writes the record with which commands find the graph.

    Args:
        arguments: Arguments of the graph, see `claimed_graph`.
        read_again: Returns the arguments with the present settings, for nodes that are restarted on request.
        echo: Whether node output is also printed to the terminal, in addition to the log files.
    """
    settings = transport_environment(arguments["transport"])
    record = GraphRecord(ProcessRecord.of(os.getpid()), dict(arguments), settings)
    record.save()
    directory = graph_directory(arguments["namespace"])
    environment = _environment(arguments, settings)

    def read_with_claimed_state() -> Arguments:
        return {**read_again(), "state_directory": arguments["state_directory"]}

    processes = [_process(node, arguments, read_with_claimed_state, directory) for node in selected(arguments)]
    return Supervisor(processes, environment, record, directory, _check(arguments), echo)


class Supervisor:
    """Keeps processes running, and stops them in order.

    Use from the main thread, because only the main thread receives signals.

    Args:
        specifications: Processes in start order. They stop in reverse order.
        environment: Complete environment of the processes.
        record: Record that is kept up to date on disk.
        log_directory: Folder for one log file per process.
        check: Called every `CHECK_PERIOD` with the ids of the processes. If it raises an `AgentError`, all stop.
        echo: Whether output is also printed to the terminal, in addition to the log files.
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
        # Signal handlers may interrupt code that holds the lock of an event, so `run` waits for a queue: its `put` is
        # reentrant. Nobody waits for `_hurry`.
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._stop = False
        self._restart = False
        self._hurry = threading.Event()
        width = max(len(specification.name) for specification in specifications)
        self._processes = [
            SupervisedProcess(
                specification,
                environment,
                NodeLog(specification.name, log_directory, index, width, echo),
                self._wake_up,
            )
            for index, specification in enumerate(specifications)
        ]

    def run(self) -> int:
        """Runs until SIGINT, SIGTERM or SIGHUP. A second signal kills the remaining processes.

        SIGINT and SIGHUP stay ignored if they were ignored, as in the background of a script or under `nohup`.

        Returns:
            0 if every process that was still running ended with code 0, else 1.

        Raises:
            AgentError: Error of `check`, raised after all processes have stopped.
        """
        signal.signal(RESTART_SIGNAL, self._on_restart)
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
        while not self._stop:
            self._restart_requested()
            changes = [process.update() for process in self._processes]
            if any(changes):
                self._save()
            if time.monotonic() >= next_check:
                self._check([process.record.pid for process in self._processes if process.record])
                next_check = time.monotonic() + CHECK_PERIOD
            next_start = min(process.next_start for process in self._processes)
            with suppress(Empty):
                self._wake.get(timeout=max(0.0, min(next_check, next_start) - time.monotonic()))

    def _restart_requested(self) -> None:
        """Ends the requested nodes in reverse order. The next `update` starts them again in start order."""
        if self._restart:
            self._restart = False
            requested = take_restart_request(self._record.arguments["namespace"])
            restarted = [process for process in reversed(self._processes) if process.name in requested]
            try:
                for process in restarted:
                    process.prepare()
            except AgentError as error:
                print(f"No node was restarted: {error.message}", file=sys.stderr, flush=True)
                return
            for process in restarted:
                process.restart(self._hurry)

    def _save(self) -> None:
        self._record.nodes = {process.name: process.record for process in self._processes if process.record}
        self._record.save()

    def _on_restart(self, _number: int, _frame: FrameType | None) -> None:
        self._restart = True
        self._wake_up()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self._stop:
            self._hurry.set()
        self._stop = True
        self._wake_up()

    def _wake_up(self) -> None:
        self._wake.put(None)


def _check(arguments: Arguments) -> Callable[[list[int]], None]:
    return (lambda _pids: None) if arguments["transport"] == "network" else require_closed


def _stop_orphans(namespace: str) -> None:
    """Stops nodes that are still running after their supervisor was killed.

    Their names would conflict with the names of the new nodes.
    """
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


def _process(
    node: NodeSpecification, arguments: Arguments, read_again: Callable[[], Arguments], directory: Path
) -> ProcessSpecification:
    parameters = directory / f"{node.name}.yaml"

    def write(given: Arguments) -> None:
        # ROS reads YAML, and JSON is YAML in which every string is quoted.
        parameters.write_text(json.dumps({"/**": {"ros__parameters": node_parameters(node, given)}}, indent=1))

    write(arguments)
    # The supervisor keeps the log of each node; rcl's own logging would add a file to ~/.ros/log at every start.
    command = [sys.executable, "-m", node.module, "--ros-args", "--disable-external-lib-logs"]
    command += ["-r", f"__ns:={arguments['namespace']}", "--params-file", str(parameters)]
    return ProcessSpecification(node.name, command, node.nice, node.restart_delay, lambda: write(read_again()))


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Ignores a signal in this process, but not in its child processes.

    Child processes would inherit SIG_IGN, but SIGINT must end nodes.
    """
