"""The whole graph as supervised processes: what `reachy-agent up` runs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from reachy_agent_ros.bringup import Arguments, NodeSpecification, selected
from reachy_agent_ros.core import instance
from reachy_agent_ros.supervision.record import GraphRecord, ProcessRecord, graph_directory, load, stop_processes
from reachy_agent_ros.supervision.sockets import require_closed
from reachy_agent_ros.supervision.supervised_process import ProcessSpecification
from reachy_agent_ros.supervision.supervisor import Supervisor
from reachy_agent_ros.supervision.transport import require_shared_memory, transport_environment


def run_graph(arguments: Arguments, echo: bool) -> int:
    """Runs the graph until it is told to end, see `Supervisor.run`.

    Args:
        arguments: As `bringup.resolve` returns them.
        echo: Whether what nodes print goes to the terminal, besides their log files.

    Returns:
        0 when every node ended with code 0.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: a graph runs in this namespace already; `STORAGE_FAILED`: there is no shared
            memory left; `INTERNAL`: a node opened a socket to the network that the transport does not allow.
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


def _check(arguments: Arguments) -> Callable[[list[int]], None]:
    return (lambda _pids: None) if arguments["transport"] == "network" else require_closed


def _stop_orphans(namespace: str) -> None:
    """Ends the nodes of a supervisor that was killed: they would keep their names from the new ones."""
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
