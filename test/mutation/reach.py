"""Which tests reach which line, and how long each takes."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

from mutation.forked import Answer, ask

_LONG = 60.0
"""s that all tests of an area usually take; they may take twenty times as long."""


@dataclass(frozen=True)
class Reach:
    """What a run of all tests showed.

    Attributes:
        imported: Lines that are executed until all tests are collected, by file.
        tests: Tests that execute a line, by file and line.
        durations: s, by test.
    """

    imported: dict[str, set[int]]
    tests: dict[str, dict[int, list[str]]]
    durations: dict[str, float]

    def of(self, path: str, lines: Iterable[int]) -> list[str]:
        """Tests that execute one of these lines, the quickest first; all where none executes the file by itself.

        Then a process may that a test starts.
        """
        reached = self.tests.get(path)
        found = self.durations if not reached else {test for line in lines for test in reached.get(line, ())}
        return sorted(found, key=lambda test: self.durations[test])


def executed_lines(data: CoverageData) -> dict[str, set[int]]:
    """Executed lines by file."""
    return {path: set(data.lines(path) or ()) for path in data.measured_files()}


def measure(items: Sequence[pytest.Item], imported: dict[str, set[int]], sources: list[str], folder: Path) -> Reach:
    """Runs every test once, in a process of its own.

    Args:
        items: The tests.
        imported: See `Reach`.
        sources: Files to watch.
        folder: For what is measured.

    Raises:
        RuntimeError: A test failed, so nothing can be said of mutants.
    """
    reached, taken = folder / "reached", folder / "durations.json"

    def run() -> bool:
        coverage = Coverage(str(reached), include=sources, config_file=False)
        durations = {}
        coverage.start()
        for item, following in zip(items, [*items[1:], None], strict=True):
            coverage.switch_context(item.nodeid)
            began = time.monotonic()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            durations[item.nodeid] = time.monotonic() - began
        coverage.stop()
        coverage.save()
        taken.write_text(json.dumps(durations))
        return items[0].session.testsfailed > 0

    if ask(run, _LONG) is not Answer.NO:
        raise RuntimeError("The tests do not pass as they are, so nothing can be said of mutants.")
    data = CoverageData(str(reached))
    data.read()
    tests = {path: data.contexts_by_lineno(path) for path in data.measured_files()}
    return Reach(imported, tests, json.loads(taken.read_text()))
