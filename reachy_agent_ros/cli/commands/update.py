"""Updates the git checkout that this command belongs to."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.update import updater
from reachy_agent_ros.update.checkout import Checkout
from reachy_agent_ros.update.journal import StoppedGraph

GROUP = Group.MANAGE

HELP = "update this checkout to the newest release, after a backup; a failed update is rolled back"

EXAMPLES = (
    "reachy-agent update",
    "reachy-agent update --restart",
    "reachy-agent update --rollback",
)


_RESTARTED = " The graph runs again, in the background."

_VARIABLES = ("REACHY_AGENT_", "ROS_DOMAIN_ID", "XDG_")
"""Prefixes of the environment variables that determine a graph's settings, folders and ROS domain."""

ROOT = Path(__file__).resolve().parents[3]
"""Folder of the checkout that this module belongs to, or of another installation."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the version, the restart, and the handling of an interrupted update."""
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--to",
        default="",
        metavar="REF",
        help="tag, branch or commit (default: newest release, or the upstream branch if there is none)",
    )
    choice.add_argument("--continue", dest="finish", action="store_true", help="finish an interrupted update")
    choice.add_argument("--rollback", action="store_true", help="undo an interrupted update")
    parser.add_argument(
        "--restart",
        action="store_true",
        help="stop the running graph first, and start it again in the background with the same arguments",
    )
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Updates the checkout, and prints the new version, its changes and the backup. Prints progress to stderr.

    Raises:
        AgentError: `INVALID_GOAL`: not a checkout, local changes, a running graph, or a failed step, after
            which everything was restored; `NOT_FOUND`: no such version, or no interrupted update; `SERVER_LOST`: the
            supervisor of the graph was killed; `TIMEOUT`: git takes too long; `STORAGE_FAILED`.
    """
    _require_checkout()
    checkout = Checkout(ROOT)
    if arguments.rollback:
        done = updater.roll_back(checkout, _report)
        words = f"Version {done.name} is back.{_RESTARTED * done.restarted}"
    elif arguments.finish:
        done = updater.resume(checkout, _report)
        words = _words(done)
    else:
        running = _running_graph(arguments.namespace) if arguments.restart else None
        done = _update(checkout, arguments.to, running)
        words = _words(done)
    show(asdict(done), words, arguments.json)
    return 0


@dataclass(frozen=True)
class _RunningGraph:
    """Running graph that `reachy-agent up` started.

    Attributes:
        graph: Data for starting the graph again.
        state: State directory.
        processes: Ids of its processes.
    """

    graph: StoppedGraph
    state: Path
    processes: list[int]


def _running_graph(namespace: str) -> _RunningGraph | None:
    """Returns the running graph of a namespace, or None if no graph is running.

    Raises:
        AgentError: `SERVER_LOST`: the supervisor of the graph was killed.
    """
    import psutil

    from reachy_agent_ros.cli.commands.up import repeated_words
    from reachy_agent_ros.supervision.record import load

    record = load(namespace)
    if record is None or not record.alive:
        return None
    if not record.supervisor.alive:
        message = "The supervisor of the graph was killed. Stop the nodes with `reachy-agent down` before the update."
        raise AgentError(ErrorCode.SERVER_LOST, message)
    supervisor = psutil.Process(record.supervisor.pid)
    variables = {name: value for name, value in supervisor.environ().items() if name.startswith(_VARIABLES)}
    graph = StoppedGraph(namespace, repeated_words(supervisor.cmdline()), supervisor.cwd(), variables)
    processes = [supervisor.pid, *(child.pid for child in supervisor.children(recursive=True))]
    return _RunningGraph(graph, Path(record.arguments["state_directory"]), processes)


def _update(checkout: Checkout, wanted: str, running: _RunningGraph | None) -> updater.Updated:
    if running is None:
        return updater.update(checkout, state_directory(), wanted, _report)
    return updater.update(checkout, running.state, wanted, _report, running.graph, running.processes)


def _words(done: updater.Updated) -> str:
    if done.new == done.old:
        return f"Nothing to do: version {done.old[:12]} contains {done.name}."
    count = len(done.changes)
    changes = f"{count} change{'s' * (count != 1)}"
    kept = f"The previous state is in {done.backup}; delete it when you like."
    return f"Updated to {done.name}: {changes}. {kept}{_RESTARTED * done.restarted}"


def _report(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def _require_checkout() -> None:
    if not (ROOT / ".git").exists():
        message = (
            "This installation is not a git checkout. Back up with `reachy-agent backup FILE`, then install the new "
            "version as you installed this one, for example: pip install --upgrade reachy_agent_ros"
        )
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    if not (ROOT / ".venv").exists():
        message = f"{ROOT} has no environment from scripts/setup. Update with git pull, and build as you did before."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
