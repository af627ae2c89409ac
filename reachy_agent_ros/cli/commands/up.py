"""Starts the graph. Keeps the graph running until Ctrl-C, or as long as another command needs the graph."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from reachy_agent_ros.bringup import Arguments, parameters_of, resolve, selected
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.interrupt import ended_by_signals
from reachy_agent_ros.cli.startup_checks import absences, require_everything, require_free_port, require_valid
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import GATEWAY
from reachy_agent_ros.settings.arguments import declared_arguments
from reachy_agent_ros.settings.effective import CONFIG_VARIABLE
from reachy_agent_ros.settings.file import FILE_NAME

GROUP = Group.RUN

HELP = "start all nodes of the graph and restart them on failure, until Ctrl-C"
EXAMPLES = (
    "reachy-agent up",
    "reachy-agent up --detach audio_source:=microphone audio_sink:=speaker",
    "reachy-agent up --check robot:=daemon daemon_url:=http://127.0.0.1:8000",
)
PROGRAM = (sys.executable, "-m", "reachy_agent_ros.cli.cli")

READY_TIMEOUT = 180.0
"""Time to wait for all nodes before reporting those that are not ready, s. A small busy computer needs minutes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options, and the graph arguments in the `name:=value` form of `ros2 launch`."""
    rows = (
        f"  {argument.name}:={'|'.join(argument.choices) or argument.default or '...'}\n      {argument.description}"
        f". Default: {argument.default or 'none'}."
        for argument in declared_arguments()
    )
    parser.epilog = "arguments of the graph:\n" + "\n".join(rows)
    parser.add_argument(
        "settings", nargs="*", metavar="NAME:=VALUE", help="argument of the graph, see below, or NODE.parameter:=VALUE"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help=f"settings file (default: {FILE_NAME})")
    parser.add_argument("--detach", action="store_true", help="return once the graph is ready, and leave it running")
    parser.add_argument(
        "--strict",
        action="store_true",
        help="start nothing if the robot's daemon, the camera, a sound device or the language model is missing",
    )
    parser.add_argument(
        "--check", action="store_true", help="report invalid settings and what is missing, and start nothing"
    )
    parser.add_argument("--quiet", action="store_true", help="print only errors")
    parser.add_argument("--json", action="store_true", help="print no logs, only the state as JSON when ready")


def run(arguments: argparse.Namespace) -> int:
    """Supervises the graph in this process or, with `--detach`, in a background process.

    Returns:
        0 if every node ended with code 0, else 1; with `--detach` as `status.run` does, or the exit code of the
        background process if it starts no graph; with `--check` 4 if a node would be degraded, else 0.

    Raises:
        AgentError: The graph cannot run with these arguments on this machine, see `startup_checks` and `claimed_graph`;
            nothing was started. `INTERNAL`: a node opened a network socket that the transport does not allow.
    """

    def read() -> Arguments:
        return resolve(dict(_assignment(setting) for setting in arguments.settings), arguments.config)

    resolved = read()
    if arguments.config:
        os.environ[CONFIG_VARIABLE] = str(arguments.config.absolute())  # the gateway shows and changes this file
    if arguments.check:
        require_valid(resolved)
        if not _is_running(resolved["namespace"]):
            require_free_port(resolved)
        return _report_absences(resolved, arguments.quiet)
    if arguments.detach:
        return _detach(arguments, resolved)
    from reachy_agent_ros.supervision.supervisor import claimed_graph, graph_supervisor  # not needed by the others

    with claimed_graph(resolved):
        require_valid(resolved)
        require_free_port(resolved)
        if arguments.strict:
            require_everything(resolved)
        supervisor = graph_supervisor(resolved, read, echo=not (arguments.quiet or arguments.json))
        if arguments.quiet:
            return supervisor.run()
        with _announcement(arguments, resolved):
            return supervisor.run()


@contextmanager
def own_graph(*settings: str) -> Iterator[int]:
    """Starts a graph for a `with` block. Always stops the graph, even if it did not become ready or was interrupted.

    Args:
        settings: Arguments as for `reachy-agent up`.

    Yields:
        Exit code of `up`, but 0 even if nodes are degraded.
    """
    from reachy_agent_ros.cli.cli import EXIT_DEGRADED, main

    with ended_by_signals():
        try:
            code = main(("up", "--detach", *settings))
            yield 0 if code == EXIT_DEGRADED else code
        finally:
            main(("down",))


def repeated_words(command: Sequence[str]) -> list[str]:
    """Returns the arguments for `up --detach` that start the same graph again.

    Args:
        command: Command line of a process that runs `up`.
    """
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return _graph_words(parser.parse_args(command[command.index("up") + 1 :]))


def _graph_words(arguments: argparse.Namespace) -> list[str]:
    """Returns the command-line arguments that configure the graph, without the output options."""
    config = ["--config", str(arguments.config)] if arguments.config else []
    return [*config, *(["--strict"] if arguments.strict else []), *arguments.settings]


def _assignment(setting: str) -> tuple[str, str]:
    name, separator, value = setting.partition(":=")
    if not separator:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid argument {setting!r}: expected name:=value.")
    return name, value


@contextmanager
def _announcement(arguments: argparse.Namespace, resolved: Arguments) -> Iterator[None]:
    """Prints missing devices and servers. When the graph is ready, prints its state.

    Separate processes do this, which keeps ROS and the clients of model servers out of the supervisor.
    """
    status = ["status", "--wait", str(READY_TIMEOUT), "--namespace", resolved["namespace"]]
    if arguments.json:
        commands = [[*status, "--json"]]
    else:
        _greet(resolved)
        print("Ctrl-C stops the nodes.", flush=True)
        commands = [["up", "--check", "--quiet", *_graph_words(arguments)], status]
    processes = [
        subprocess.Popen([*PROGRAM, *command], stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603 - ourselves
        for command in commands
    ]
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
            process.wait()


def _is_running(namespace: str) -> bool:
    from reachy_agent_ros.supervision.record import load

    record = load(namespace)
    return record is not None and record.alive


def _report_absences(resolved: Arguments, quiet: bool) -> int:
    """Prints each node that would be degraded, and the reason. Returns 4 if a node would be degraded, otherwise 0."""
    from reachy_agent_ros.cli.cli import EXIT_DEGRADED

    complete = True
    for node, error in absences(resolved):
        complete = False
        print(f"{node} will be degraded: {error.message}", flush=True)
    if complete and not quiet:
        print("Nothing is missing.")
    return 0 if complete else EXIT_DEGRADED


def _greet(resolved: Arguments) -> None:
    """Prints the robot, the language model, the console URL and the log folder of a graph that is starting."""
    from reachy_agent_ros.gateway.bind_config import BindConfig
    from reachy_agent_ros.supervision.health import configured_model
    from reachy_agent_ros.supervision.record import graph_directory

    nodes = [node.name for node in selected(resolved)]
    print(f"Starting {len(nodes)} nodes in {resolved['namespace']}, ROS domain {os.environ.get('ROS_DOMAIN_ID', '0')}.")
    print(f"Robot: {resolved['robot']}. Language model: {configured_model(resolved)}.")
    gateway = parameters_of(GATEWAY, resolved)
    if GATEWAY in nodes and gateway["port"]:
        print(f"Console: {BindConfig.from_parameters(gateway).url(int(gateway['port']))}")
    print(f"Logs: {graph_directory(resolved['namespace'])}", flush=True)


def _detach(arguments: argparse.Namespace, resolved: Arguments) -> int:
    from reachy_agent_ros.cli.commands import status
    from reachy_agent_ros.supervision.record import graph_directory, load

    namespace = resolved["namespace"]
    log = graph_directory(namespace) / "up.log"
    draft = log.with_suffix(f".{os.getpid()}")  # a graph that is already running keeps its log
    with draft.open("w") as output:
        supervisor = subprocess.Popen(  # noqa: S603 - this program, with its own arguments
            [*PROGRAM, "up", "--quiet", *_graph_words(arguments)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    while supervisor.poll() is None:
        record = load(namespace)
        if record is not None and record.supervisor.pid == supervisor.pid:
            draft.replace(log)
            talks = not (arguments.json or arguments.quiet)
            if talks:
                _greet(resolved)
                _report_absences(resolved, quiet=True)
            code = status.report(namespace, READY_TIMEOUT, arguments.json, arguments.quiet)
            if talks:
                print(f"Running as process {supervisor.pid}. Stop it: reachy-agent down")
            return code
        time.sleep(0.02)
    sys.stderr.write(draft.read_text())
    draft.unlink()
    return supervisor.returncode
