"""Prints the coverage measured by `scripts/coverage`, in total (with the required values) and for each package."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from bench.report import Figure, print_report

MEASURED = Path("out/coverage/figures.json")
LINES, BRANCHES = 92.0, 85.0  # %

Counts = dict[str, int]
"""Numbers of lines and branches, in total and covered, by the names of coverage.py."""


def main() -> None:
    """Prints the coverage."""
    packages: dict[str, Counts] = defaultdict(lambda: defaultdict(int))
    for path, file in json.loads(MEASURED.read_text())["files"].items():
        for name in (Path(path).parts[1], "all"):
            for kind, count in file["summary"].items():
                packages[name][kind] += count if isinstance(count, int) else 0
    figures = [*_of("all", packages.pop("all"), LINES, BRANCHES)]
    for name, counts in sorted(packages.items()):
        figures += _of(name, counts)
    print_report("coverage", figures, as_json=False)


def _of(name: str, counts: Counts, lines: float | None = None, branches: float | None = None) -> Iterator[Figure]:
    reached = 100.0 * counts["covered_lines"] / max(counts["num_statements"], 1)
    taken = 100.0 * counts["covered_branches"] / max(counts["num_branches"], 1)
    yield Figure(f"{name}: lines", reached, "%", lines, at_least=True)
    yield Figure(f"{name}: branches", taken, "%", branches, at_least=True)


if __name__ == "__main__":
    main()
