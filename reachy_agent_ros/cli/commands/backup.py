"""Backs up the robot's state directory into one file."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.paths import state_directory

GROUP = Group.MANAGE

HELP = "back up all data of the robot (memory, conversations, tools, learned policies) into one file"

EXAMPLES = ("reachy-agent backup ~/reachy.backup",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the backup file and the output format."""
    parser.add_argument("file", metavar="FILE", type=Path, help="backup to create; must not exist yet")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Writes the backup, whether or not the robot is running.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file would be in the state directory; `STORAGE_FAILED`: the backup could
            not be written.
    """
    from reachy_agent_ros.storage.backup.state_backup import back_up

    done = back_up(state_directory(), arguments.file)
    for name in done.left_out:
        print(f"Skipped {name}: not a regular file.", file=sys.stderr)
    sizes = [record.size for record in done.manifest.files.values()]
    files = "1 file" if len(sizes) == 1 else f"{len(sizes)} files"
    words = f"{arguments.file} contains {files}, {sum(sizes) / 1e6:.1f} MB. Only you can read it."
    data = {"file": arguments.file, **asdict(done.manifest), "left_out": done.left_out}
    show(data, words, arguments.json)
    return 0
