"""Updates the git checkout that this command belongs to."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.update import updater
from reachy_agent_ros.update.checkout import Checkout

GROUP = Group.MANAGE

HELP = "update this checkout to the newest release, after a backup; a failed update is rolled back"

EXAMPLES = (
    "reachy-agent update",
    "reachy-agent update --to main",
    "reachy-agent update --rollback",
)


ROOT = Path(__file__).resolve().parents[3]
"""Folder of the checkout that this module belongs to, or of another installation."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the version, and for an interrupted update."""
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--to",
        default="",
        metavar="REF",
        help="tag, branch or commit (default: newest release, or the upstream branch if there is none)",
    )
    choice.add_argument("--continue", dest="finish", action="store_true", help="finish an interrupted update")
    choice.add_argument("--rollback", action="store_true", help="undo an interrupted update")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Updates, and prints the new version, its changes and the backup. Progress is on standard error.

    Raises:
        AgentError: `INVALID_GOAL`: not a checkout, local changes, a running graph, or a failed step after which
            everything is as before; `NOT_FOUND`: no such version.
    """
    _require_checkout()
    checkout = Checkout(ROOT)
    if arguments.rollback:
        done = updater.roll_back(checkout, _report)
        words = f"Version {done.name} is back."
    elif arguments.finish:
        done = updater.resume(checkout, _report)
        words = _words(done)
    else:
        done = updater.update(checkout, state_directory(), arguments.to, _report)
        words = _words(done)
    show(asdict(done), words, arguments.json)
    return 0


def _words(done: updater.Updated) -> str:
    if done.new == done.old:
        return f"Nothing to do: version {done.old[:12]} contains {done.name}."
    count = len(done.changes)
    changes = f"{count} change{'s' * (count != 1)}"
    return f"Updated to {done.name}: {changes}. The previous state is in {done.backup}; delete it when you like."


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
        message = f"{ROOT} has no environment of scripts/setup. Update with git pull, and build as you did before."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
