"""Runs one of the benchmarks in the repository's `bench` folder."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group

GROUP = Group.DEVELOPERS

HELP = "run a benchmark of time, memory or load, and compare the results with their targets"

EXAMPLES = (
    "reachy-agent bench graph",
    "reachy-agent bench motion --json",
    "reachy-agent bench gateway --full",
)

REPOSITORY = Path(__file__).resolve().parents[3]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the benchmark area, the output format, and the options of the area."""
    parser.add_argument("area", help="area, one of: " + ", ".join(areas()))
    add_options(parser)
    parser.add_argument(
        "options", nargs=argparse.REMAINDER, metavar="...", help="options of the area, which `AREA --help` lists"
    )


def run(arguments: argparse.Namespace) -> int:
    """Runs the benchmark of an area. Returns 2 if the area is unknown."""
    if arguments.area not in areas():
        known = ", ".join(areas()) or "none: benchmarks are part of a source checkout only"
        print(f"Unknown benchmark {arguments.area!r}. Available: {known}.", file=sys.stderr)
        return 2
    options = [*(["--json"] if arguments.json else []), *arguments.options]
    return int(import_module("bench.areas").run_area("bench", arguments.area, options))


def areas() -> list[str]:
    """Returns the names of the benchmarks. Without a source checkout, the result is empty."""
    if not (REPOSITORY / "bench" / "areas.py").exists():
        return []
    folders = (str(REPOSITORY), str(REPOSITORY / "test"))  # of `bench`, and of `support` and `corpus`
    sys.path[:0] = [folder for folder in folders if folder not in sys.path]
    return list(import_module("bench.areas").areas("bench"))
