"""Mutation tests of the packages on which safety depends: gate, validator, permissions and registry.

Mutants are written into a temporary copy of the checkout, never into the checkout itself. Exits with 1 if
too few mutants of an area were killed, but not for a sample of mutants, which is too small to judge.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TextIO

from bench.report import Figure, print_report
from mutation.forked import Outcome
from mutation.mutants import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]

KILLED = 92.0
"""Minimum percentage of mutants of an area that the tests must kill."""

EQUIVALENT = Path(__file__).with_name("equivalent_mutants.tsv")
"""Mutants that behave like the original: file, source line, replacement and reason, separated by tabs."""


@dataclass(frozen=True)
class Area:
    """Area of mutation testing: a package, its tests, and its mutants that no test can detect.

    Attributes:
        sources: Patterns of the files that are mutated.
        tests: What pytest collects.
    """

    sources: tuple[str, ...]
    tests: tuple[str, ...]


_GATE = (
    *("command_watch", "coordinates", "finding", "gate", "head_clearance", "kinematics", "limiter", "pose_limits"),
    *("stewart_platform", "stream", "target_validation", "workspace"),
)

_FORMATS = "test/test_stored_formats.py"

AREAS = {
    "gate": Area(
        tuple(f"reachy_agent_ros/robot/{name}.py" for name in _GATE),
        tuple(f"test/robot/test_{name}.py" for name in _GATE),
    ),
    "validator": Area(
        (
            "reachy_agent_ros/tool_generation/validation/*.py",
            "reachy_agent_ros/tool_generation/validation/allowed_names/*.py",
            "reachy_agent_ros/tool_generation/verdict.py",
        ),
        ("test/tool_generation/validation",),
    ),
    "permissions": Area(
        ("reachy_agent_ros/agent/permissions/*.py", "reachy_agent_ros/nlu/answer.py"),
        ("test/agent/permissions", "test/nlu/test_answer.py", _FORMATS),
    ),
    "registry": Area(("reachy_agent_ros/tool_generation/registry/*.py",), ("test/tool_generation/registry", _FORMATS)),
}


def main() -> int:
    """Prints the results of each area, and every mutant that survived or timed out.

    Returns the exit status.
    """
    parser = argparse.ArgumentParser(prog="scripts/mutation", description=__doc__)
    parser.add_argument("area", nargs="?", choices=AREAS, metavar="AREA", help="one of: " + ", ".join(AREAS))
    parser.add_argument("--only", default="", metavar="FILE", help="end of a path, for example robot/limiter.py")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="try N random mutants of each area")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    options = parser.parse_args()
    figures: list[Figure] = []
    with checkout_copy() as copy:
        for name in [options.area] if options.area else AREAS:
            mutants = mutants_in(copy, AREAS[name], options.only)
            if options.sample:
                mutants = Random(options.seed).sample(mutants, min(options.sample, len(mutants)))
            if mutants:
                figures += _figures(name, _try(copy, AREAS[name], mutants, None if options.json else sys.stdout))
    if not figures:
        parser.error(f"no mutants: no file of these areas ends with {options.only}")
    print_report("mutation", figures, options.json)
    return 0 if options.sample or all(figure.holds for figure in figures) else 1


@contextmanager
def checkout_copy() -> Iterator[Path]:
    """Yields a temporary copy of all files that git tracks or does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    with tempfile.TemporaryDirectory(prefix="checkout-") as folder:
        for name in filter(None, listed.split("\0")):
            source, target = ROOT / name, Path(folder, name)
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        yield Path(folder)


def mutants_in(root: Path, area: Area, only: str = "") -> list[tuple[str, Mutant]]:
    """Returns the mutants of an area, each with the path of its file.

    Mutants in the list of equivalent mutants are not included.

    Args:
        root: The checkout.
        area: The area.
        only: End of the path of the files to mutate.
    """
    known = {tuple(line.split("\t")[:3]) for line in EQUIVALENT.read_text().splitlines()}
    found = []
    for path in _files(root, area):
        source = (root / path).read_text()
        lines = source.splitlines()
        for mutant in mutants_of(source) if path.endswith(only) else ():
            if (path, lines[mutant.lines[0] - 1].strip(), mutant.after) not in known:
                found.append((path, mutant))
    return found


def _files(root: Path, area: Area) -> list[str]:
    return sorted(str(path.relative_to(root)) for pattern in area.sources for path in root.glob(pattern))


def _figures(name: str, outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    survived = outcomes.count(Outcome.SURVIVED)
    yield Figure(f"{name}: mutants", len(outcomes), "")
    yield Figure(f"{name}: timed out, counted as killed", outcomes.count(Outcome.TIMEOUT), "")
    yield Figure(f"{name}: survived", survived, "")
    yield Figure(f"{name}: killed", 100.0 * (1.0 - survived / len(outcomes)), "%", KILLED, at_least=True)


def _try(copy: Path, area: Area, mutants: Sequence[tuple[str, Mutant]], output: TextIO | None) -> list[Outcome]:
    """Tests each mutant and returns the outcomes. Immediately prints each mutant that no test has killed."""
    request = {
        "sources": [str(copy / path) for path in _files(copy, area)],
        "tests": area.tests,
        "mutants": [
            {"path": str(copy / path), "lines": list(mutant.lines), "source": mutant.source} for path, mutant in mutants
        ],
    }
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for (path, mutant), outcome in zip(mutants, _outcomes(copy, Path(folder), request), strict=True):
            outcomes.append(outcome)
            print(f"{len(outcomes)} of {len(mutants)}", file=sys.stderr, end="\r")
            if output and outcome is not Outcome.KILLED:
                print(f"{outcome}  {path}:{mutant}", file=output, flush=True)
    return outcomes


def _outcomes(copy: Path, folder: Path, request: dict[str, Any]) -> Iterator[Outcome]:
    file, log = folder / "request.json", folder / "log"
    file.write_text(json.dumps(request))
    environment = {**os.environ, "PYTHONPATH": f"{copy}:{copy}/test", "TMPDIR": str(folder)}
    command = [sys.executable, "-m", "mutation.trials", str(file)]
    with log.open("w") as errors:
        trials = subprocess.Popen(command, cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True)
        with trials:
            yield from (Outcome(line.strip()) for line in trials.stdout or ())
    if trials.returncode:
        raise RuntimeError(f"The mutation tests failed to run. Output:\n{log.read_text()[-3000:]}")


if __name__ == "__main__":
    sys.exit(main())
