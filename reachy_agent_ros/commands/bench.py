"""Runs one of the benchmarks in the repository's `bench` folder."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

HELP = "measure the system and compare with its bars"

EXAMPLES = (
    "reachy-agent bench graph",
    "reachy-agent bench reflex --json",
    "reachy-agent bench campaign --only 1,6 --seed 3",
)

FOLDER = Path(__file__).resolve().parents[2] / "bench"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the area, the output format, and what an area takes besides."""
    parser.add_argument("area", help="one of: " + ", ".join(areas()))
    _add_format(parser)
    parser.add_argument(
        "options", nargs=argparse.REMAINDER, metavar="...", help="options of the area, which `AREA --help` lists"
    )


def run(arguments: argparse.Namespace) -> int:
    """Runs the area's benchmark. Returns 2 where it cannot be run."""
    if arguments.area not in areas():
        known = ", ".join(areas()) or "none: benchmarks come with a source checkout only"
        print(f"No benchmark {arguments.area!r}. There are: {known}.", file=sys.stderr)
        return 2
    sys.path.insert(0, str(FOLDER))
    benchmark = runpy.run_path(str(FOLDER / f"{arguments.area}.py"))
    own = argparse.ArgumentParser(prog=f"reachy-agent bench {arguments.area}")
    _add_format(own)
    if "add_arguments" in benchmark:
        benchmark["add_arguments"](own)
    options = vars(own.parse_args(arguments.options))
    return int(benchmark["main"](as_json=options.pop("json") or arguments.json, **options))


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def areas() -> list[str]:
    """Benchmarks that can be run, by file name: those that define `main`."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if "def main(" in path.read_text())
