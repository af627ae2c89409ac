"""Writes the generated pages in docs/reference, or checks whether they are up to date."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scripts.reference_pages.commands import command_page
from scripts.reference_pages.configuration import configuration_page
from scripts.reference_pages.errors import error_page
from scripts.reference_pages.interfaces import interface_pages
from scripts.reference_pages.nodes import node_pages
from scripts.reference_pages.paths import DOCUMENTS
from scripts.reference_pages.rest import rest_pages
from scripts.reference_pages.tool_format import tool_format_page


def pages() -> dict[Path, str]:
    """Returns the text of each generated page, keyed by its path."""
    found = {
        "configuration.md": configuration_page(),
        "cli.md": command_page(),
        "errors.md": error_page(),
        **{f"{name}.md": text for name, text in rest_pages().items()},
        "tool_format.md": tool_format_page(),
        **{f"ros/{name}.md": text for name, text in interface_pages().items()},
        **{f"ros/{name}.md": text for name, text in node_pages().items()},
    }
    return {DOCUMENTS / name: text for name, text in found.items()}


def stale() -> list[Path]:
    """Returns the pages that are not up to date."""
    return [path for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text]


def main() -> int:
    """Runs the program. Returns exit code 1 if `--check` finds a page that is not up to date."""
    parser = argparse.ArgumentParser(prog="scripts/reference", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page is out of date")
    if parser.parse_args().check:
        old = stale()
        for path in old:
            print(f"{path} is out of date. Run scripts/reference.", file=sys.stderr)
        return int(bool(old))
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
