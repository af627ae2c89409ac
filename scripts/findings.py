"""Lists Bandit findings that have no accepted reason. `scripts/audit` runs this program.

Bandit and the S rules of ruff use the same numbers, so one reason is enough for both: if a line has
`noqa: S603 - why`, or `pyproject.toml` ignores S603 for it with a reason, B603 is also accepted.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_REASON = re.compile(r"# noqa: (?P<rules>[A-Z0-9, ]+) - \S")


def complaints(report: Mapping[str, Any], root: Path = ROOT) -> Iterator[str]:
    """Yields one sentence for each finding without a reason, and for each file that Bandit could not read.

    Args:
        report: JSON report of Bandit, with file names relative to `root`.
        root: Folder of `pyproject.toml`.
    """
    lint = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]
    for error in report["errors"]:
        yield f"{error['filename']}: {error['reason']}"
    for found in report["results"]:
        rule = "S" + found["test_id"].removeprefix("B")
        name = found["filename"].removeprefix("./")
        lines = (root / name).read_text(encoding="utf-8").splitlines()
        if not _ignored(name, rule, lint) and not _has_reason(rule, [lines[n - 1] for n in found["line_range"]]):
            yield f"{name}:{found['line_number']}: {found['test_id']} {found['issue_text']}"


def _ignored(name: str, rule: str, lint: Mapping[str, Any]) -> bool:
    files = {"*": lint["ignore"], **lint["per-file-ignores"]}
    return any(fnmatch(name, pattern) and rule in rules for pattern, rules in files.items())


def _has_reason(rule: str, lines: Sequence[str]) -> bool:
    found = (_REASON.search(line) for line in lines)
    return any(rule in re.split(r"[ ,]+", reason["rules"]) for reason in found if reason)


if __name__ == "__main__":
    told = list(complaints(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
    print("\n".join(told) or "==> Every finding has a reason.")
    sys.exit(bool(told))
