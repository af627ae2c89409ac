"""Lists and runs the areas of a package. An area is a module with a function `main` that begins with `as_json`."""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from pathlib import Path

PROGRAMS = {
    "bench": "reachy-agent bench",
    "evaluation": "scripts/evaluate",
    "chaos": "scripts/chaos",
    "fuzz": "scripts/fuzz",
}
"""Command of each package. The last two need the folder `test` on the module search path."""

_MAIN = re.compile(r"^def main\(\s*as_json", re.MULTILINE)


def areas(package: str) -> dict[str, str]:
    """Finds the areas of a package and of its subpackages.

    Args:
        package: One of `PROGRAMS`.

    Returns:
        The full module name of each area, by area name, in alphabetical order.
    """
    (folder,) = import_module(package).__path__
    found = {}
    for path in Path(folder).rglob("*.py"):
        if _MAIN.search(path.read_text(encoding="utf-8")):
            found[path.stem] = ".".join((package, *path.relative_to(folder).with_suffix("").parts))
    return dict(sorted(found.items()))


def area_parser(package: str, area: str) -> argparse.ArgumentParser:
    """Creates the parser of an area's options.

    Args:
        package: One of `PROGRAMS`.
        area: One of `areas(package)`.
    """
    module = import_module(areas(package)[area])
    parser = argparse.ArgumentParser(prog=f"{PROGRAMS[package]} {area}", description=module.__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    if package == "bench":
        parser.add_argument("--full", action="store_true", help="run the long form (short form: at most 2 minutes)")
    if hasattr(module, "add_arguments"):
        module.add_arguments(parser)
    return parser


def run_area(package: str, area: str, options: list[str]) -> int:
    """Runs an area, and returns its exit code.

    Args:
        package: One of `PROGRAMS`.
        area: One of `areas(package)`.
        options: Command-line arguments of the area.

    Returns:
        The exit status.
    """
    arguments = vars(area_parser(package, area).parse_args(options))
    return int(import_module(areas(package)[area]).main(as_json=arguments.pop("json"), **arguments))


def main(package: str, description: str, arguments: list[str]) -> int:
    """Runs the command line of a package: `PROGRAM AREA [OPTIONS]`.

    Args:
        package: One of `PROGRAMS`.
        description: Purpose of the package.
        arguments: Command-line arguments after the program's name.

    Returns:
        The exit status.
    """
    known = areas(package)
    parser = argparse.ArgumentParser(prog=PROGRAMS[package], description=description)
    parser.add_argument("area", choices=known, metavar="AREA", help="one of: " + ", ".join(known))
    parser.add_argument("options", nargs=argparse.REMAINDER, metavar="...", help="options of the area; see AREA --help")
    chosen = parser.parse_args(arguments)
    return run_area(package, chosen.area, chosen.options)
