"""Lists and runs the areas of a package: its modules that define `main`."""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from pathlib import Path

_MAIN = re.compile(r"^def main\(\s*as_json", re.MULTILINE)


def areas(package: str) -> dict[str, str]:
    """The areas of a package and of its subpackages.

    Args:
        package: An importable package of the repository, for example `bench`.

    Returns:
        The full module name of each area, by area name, in alphabetical order.
    """
    (folder,) = import_module(package).__path__
    found = {}
    for path in Path(folder).rglob("*.py"):
        if _MAIN.search(path.read_text(encoding="utf-8")):
            found[path.stem] = ".".join((package, *path.relative_to(folder).with_suffix("").parts))
    return dict(sorted(found.items()))


def run_area(package: str, area: str, options: list[str], program: str) -> int:
    """Runs one area.

    Args:
        package: As in `areas`.
        area: One of `areas(package)`.
        options: Command-line arguments of the area.
        program: The command that a person typed, for its help.

    Returns:
        The exit status.
    """
    module = import_module(areas(package)[area])
    parser = argparse.ArgumentParser(prog=f"{program} {area}", description=module.__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    if hasattr(module, "add_arguments"):
        module.add_arguments(parser)
    arguments = vars(parser.parse_args(options))
    return int(module.main(as_json=arguments.pop("json"), **arguments))


def main(package: str, program: str, description: str, arguments: list[str]) -> int:
    """The command line of a package: `PROGRAM AREA [OPTIONS]`.

    Args:
        package: As in `areas`.
        program: The command that a person typed.
        description: What the package is for.
        arguments: After the program's name.

    Returns:
        The exit status.
    """
    known = areas(package)
    parser = argparse.ArgumentParser(prog=program, description=description)
    parser.add_argument("area", choices=known, metavar="AREA", help="one of: " + ", ".join(known))
    parser.add_argument("options", nargs=argparse.REMAINDER, metavar="...", help="options of the area; see AREA --help")
    chosen = parser.parse_args(arguments)
    return run_area(package, chosen.area, chosen.options, program)
