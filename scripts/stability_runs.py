"""Runs the complete test suite several times at one commit, and prints a table.

`scripts/stability` calls this program.

Run it in the root of a repository that has `scripts/test`, which writes JUnit reports to `out/test`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from xml.etree import ElementTree

from bench.busy_processes import busy_processes

REPORTS = Path("out", "test")
SERIES = Path("out", "stability")
BUSY_PROCESSES = 2


@dataclass(frozen=True)
class Run:
    """Result of one complete run of `scripts/test`.

    Attributes:
        number: Number of the run, from 1.
        load: "idle", or "busy" with two CPU-bound processes in the background.
        seconds: Duration, s.
        executions: Number of tests that ran, without skipped ones.
        skipped: Number of tests that this machine could not run.
        failures: IDs of failed tests.
        status: Exit status of `scripts/test`, which also checks style and types.
    """

    number: int
    load: str
    seconds: float
    executions: int
    skipped: int
    failures: list[str]
    status: int


def main() -> int:
    """Executes the runs of the series that are still missing. Returns exit code 1 if any run failed."""
    parser = argparse.ArgumentParser(prog="scripts/stability", description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="length of the series (default: %(default)s)")
    count = parser.parse_args().runs
    commit = _commit()
    folder = SERIES / commit
    folder.mkdir(parents=True, exist_ok=True)
    runs = []
    for number in range(1, count + 1):
        file = folder / f"run-{number:02}.json"
        if not file.exists():
            run = _run(number, "idle" if number % 2 else "busy", folder)
            if _commit() != commit:
                sys.exit("The checkout changed during the run, so the run does not count.")
            file.write_text(json.dumps(asdict(run), indent=2) + "\n", encoding="utf-8")
        runs.append(Run(**json.loads(file.read_text(encoding="utf-8"))))
        print(_row(runs[-1]), flush=True)
    print(f"\n{sum(run.executions for run in runs)} executions, {sum(len(run.failures) for run in runs)} failures")
    return int(any(run.status or run.failures for run in runs))


def _commit() -> str:
    """Returns the commit that is checked out.

    Raises:
        SystemExit: The checkout has uncommitted changes, so that a report would not describe the commit.
    """
    changes = _git("status", "--porcelain")
    if changes:
        sys.exit(f"Commit or remove these changes first; the series is about one commit:\n{changes}")
    return _git("rev-parse", "--short=12", "HEAD")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], check=True, capture_output=True, text=True)  # noqa: S603, S607 - fixed arguments
    return done.stdout.strip()


def _run(number: int, load: str, folder: Path) -> Run:
    for report in REPORTS.glob("*.xml"):
        report.unlink()
    log = folder / f"run-{number:02}.log"
    started = time.monotonic()
    with log.open("w") as output, busy_processes(BUSY_PROCESSES if load == "busy" else 0):
        command = ["scripts/test", "--no-setup"]
        done = subprocess.run(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL)  # noqa: S603 - ours
    seconds = time.monotonic() - started
    cases = [case for report in REPORTS.glob("*.xml") for case in ElementTree.parse(report).iter("testcase")]  # noqa: S314 - ours
    failures = [_name(case) for case in cases if case.find("failure") is not None or case.find("error") is not None]
    skipped = sum(case.find("skipped") is not None for case in cases)
    return Run(number, load, round(seconds, 1), len(cases) - skipped, skipped, failures, done.returncode)


def _name(case: ElementTree.Element) -> str:
    return f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"


def _row(run: Run) -> str:
    failed = ", ".join(run.failures) or ("none" if run.status == 0 else f"exit status {run.status}")
    return f"run {run.number:2}  {run.load}  {run.seconds:7.1f} s  {run.executions} executions  failures: {failed}"


if __name__ == "__main__":
    sys.exit(main())
