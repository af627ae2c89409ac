"""Runs commands of the command-line interface in this process."""

from __future__ import annotations

import argparse
from typing import Any


def run_command(command: Any, *words: str) -> int:
    """Runs a command module of `reachy_agent_ros.cli.commands` with arguments. Returns the exit code."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return int(command.run(parser.parse_args(words)))
