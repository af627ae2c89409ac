"""Whether the tests notice mistakes in what everything else relies on: the gate, the validator, permissions, registry.

`reachy-agent bench mutation` tries every mutant there is; `--only gate` those of one package or of one file,
`--sample 100` so many of each package. Nothing is written into the checkout: mutants live in a copy.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TextIO

from bench.report import Figure, print_report
from mutation.checkout_copy import checkout_copy
from mutation.forked import Answer
from mutation.mutants import Mutant, mutants_of

KILLED = 90.0  # %

EQUIVALENT = Path(__file__).with_name("equivalent_mutants.tsv")
"""Mutants that no test can tell from the source: file, line as it is written, what the change makes of it, and why."""


@dataclass(frozen=True)
class Area:
    """A package under trial.

    Attributes:
        sources: Patterns of the files that are mutated.
        tests: What pytest collects.
    """

    sources: tuple[str, ...]
    tests: tuple[str, ...]


_GATE = ("admission", "command_watch", "coordinates", "envelope", "finding", "gate", "kinematics", "limiter", "stream")

FORMATS = "test/test_stored_formats.py"
"""What is refused of what a later version stored."""

AREAS = {
    "gate": Area(
        tuple(f"reachy_agent_ros/robot/{name}.py" for name in _GATE),
        tuple(f"test/robot/test_{name}.py" for name in _GATE),
    ),
    "validator": Area(("reachy_agent_ros/toolsmith/validation/*.py",), ("test/toolsmith/validation",)),
    "permissions": Area(("reachy_agent_ros/mind/permissions/*.py",), ("test/mind/permissions", FORMATS)),
    "registry": Area(("reachy_agent_ros/toolsmith/registry/*.py",), ("test/toolsmith/registry", FORMATS)),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds which mutants are tried."""
    parser.add_argument("--only", default="", metavar="MODULE", help="an area, or the end of a file's path")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="so many mutants of each area")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")


def main(as_json: bool, only: str = "", sample: int = 0, seed: int = 0) -> int:
    """Measures and prints. Returns 0 whatever the figures say.

    Args:
        as_json: Whether to print one JSON object and nothing else.
        only: An area, or the end of a file's path; everything where empty.
        sample: Mutants of each area, chosen by chance; all where 0.
        seed: Of chance.
    """
    figures: list[Figure] = []
    with checkout_copy() as copy:
        for name, area in AREAS.items():
            mutants = _mutants(copy, area, "" if only == name else only)
            if sample:
                mutants = Random(seed).sample(mutants, min(sample, len(mutants)))
            if mutants:
                figures += _figures(name, _tried(copy, area, mutants, None if as_json else sys.stdout))
    print_report("mutation", figures, as_json)
    return 0


def _figures(name: str, answers: Sequence[Answer]) -> Iterator[Figure]:
    survived = answers.count(Answer.NO)
    yield Figure(f"{name}: mutants", len(answers), "")
    yield Figure(f"{name}: killed by running out of time", answers.count(Answer.NONE), "")
    yield Figure(f"{name}: survived", survived, "")
    yield Figure(f"{name}: killed", 100.0 * (1.0 - survived / len(answers)), "%", KILLED, at_least=True)


def _mutants(copy: Path, area: Area, only: str) -> list[tuple[str, Mutant]]:
    """Those of an area that are not known to be equivalent, each with the path of its file."""
    known = {tuple(line.split("\t")[:3]) for line in EQUIVALENT.read_text().splitlines()}
    found = []
    for path in _files(copy, area):
        source = (copy / path).read_text()
        lines = source.splitlines()
        for mutant in mutants_of(source) if path.endswith(only) else ():
            if (path, lines[mutant.lines[0] - 1].strip(), mutant.after) not in known:
                found.append((path, mutant))
    return found


def _files(copy: Path, area: Area) -> list[str]:
    return sorted(str(path.relative_to(copy)) for pattern in area.sources for path in copy.glob(pattern))


def _tried(copy: Path, area: Area, mutants: Sequence[tuple[str, Mutant]], told: TextIO | None) -> list[Answer]:
    """What came of each mutant; those that survived are told as soon as they are known."""
    request = {
        "sources": [str(copy / path) for path in _files(copy, area)],
        "tests": area.tests,
        "mutants": [
            {"path": str(copy / path), "lines": list(mutant.lines), "source": mutant.source} for path, mutant in mutants
        ],
    }
    answers = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for (path, mutant), answer in zip(mutants, _answers(copy, Path(folder), request), strict=True):
            answers.append(answer)
            print(f"{len(answers)} of {len(mutants)}", file=sys.stderr, end="\r")
            if told and answer is Answer.NO:
                print(f"survived  {path}:{mutant}", file=told, flush=True)
    return answers


def _answers(copy: Path, folder: Path, request: dict[str, Any]) -> Iterator[Answer]:
    file, log = folder / "request.json", folder / "log"
    file.write_text(json.dumps(request))
    environment = {**os.environ, "PYTHONPATH": f"{copy}:{copy}/test", "TMPDIR": str(folder)}
    command = [sys.executable, "test/mutation/mutant_trials.py", str(file)]
    with log.open("w") as said:
        trials = subprocess.Popen(command, cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=said, text=True)
        with trials:
            yield from (Answer(answer.strip()) for answer in trials.stdout or ())
    if trials.returncode:
        raise RuntimeError(f"The tests cannot be tried on mutants:\n{log.read_text()[-3000:]}")
