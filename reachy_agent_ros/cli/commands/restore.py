"""Replaces the robot's state directory with the content of a backup."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show, shown_time
from reachy_agent_ros.core.paths import state_directory

GROUP = Group.MANAGE

HELP = "restore a backup; the current state is kept next to the state directory"

EXAMPLES = ("reachy-agent restore ~/reachy.backup",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the backup file and the output format."""
    parser.add_argument("file", metavar="FILE", type=Path, help="backup from `reachy-agent backup`")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Restores the backup completely, or changes nothing if it fails.

    Raises:
        AgentError: `INVALID_GOAL`: the robot is running; `STORAGE_FAILED`. Nothing is changed.
    """
    from reachy_agent_ros.storage.backup.state_backup import restore

    done = restore(arguments.file, state_directory())
    made = shown_time(done.manifest.made_at)
    words = f"Restored the state of {made}."
    if done.kept is not None:
        words += f"\nThe previous state is in {done.kept}; delete it when you no longer need it."
    show({**asdict(done.manifest), "kept": done.kept}, words, arguments.json)
    return 0
