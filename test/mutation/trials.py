"""Runs the tests against each mutant.

For each mutant, a process that has collected all tests is forked.

The command starts `python -m mutation.trials REQUEST` in a copy of the checkout. Each mutant is written into that copy,
so that processes started by tests contain it as well.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import pytest
from coverage import Coverage, CoverageData
from hypothesis import Phase, settings

from mutation.code_swap import changed_codes, swap
from mutation.forked import Outcome, run_forked

OPTIONS = ("-q", "-x", "-s", "-p", "no:cacheprovider", "--timeout=0")  # `run_forked` limits the time

_USUAL_TIME = 300.0
"""Maximum duration of all tests of an area with coverage on an idle machine, s."""


@dataclass(frozen=True)
class Reach:
    """Source lines that each test executes.

    Attributes:
        imported: Lines executed during import and test collection, by file.
        tests: Tests that execute a line, by file and line.
        durations: Duration of each test, s.
    """

    imported: dict[str, set[int]]
    tests: dict[str, dict[int, list[str]]]
    durations: dict[str, float]

    def tests_of(self, path: str, lines: Iterable[int]) -> list[str]:
        """Returns the tests that execute at least one of the lines. The fastest test is first.

        Every test is returned if none executes the file in its own process: a process that it starts may.
        """
        reached = self.tests.get(path)
        found = self.durations if not reached else {test for line in lines for test in reached.get(line, ())}
        return sorted(found, key=lambda test: self.durations[test])


def measure_reach(items: Sequence[pytest.Item], imported: CoverageData, sources: list[str], folder: Path) -> Reach:
    """Runs every test once on the original source, in a forked process.

    Args:
        items: The tests.
        imported: Coverage of import and test collection.
        sources: Files to measure.
        folder: Folder for the coverage data.

    Raises:
        RuntimeError: A test fails without a mutant.
    """
    reached, durations = folder / "reached", folder / "durations.json"

    def a_test_fails() -> bool:
        coverage = Coverage(str(reached), include=sources, config_file=False)
        taken = {}
        coverage.start()
        for item, following in zip(items, [*items[1:], None], strict=True):
            coverage.switch_context(item.nodeid)
            began = time.monotonic()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            taken[item.nodeid] = time.monotonic() - began
        coverage.stop()
        coverage.save()
        durations.write_text(json.dumps(taken))
        return items[0].session.testsfailed > 0

    if run_forked(a_test_fails, _USUAL_TIME) is not Outcome.SURVIVED:
        raise RuntimeError("The tests fail without a mutant. Fix them before you run mutation testing.")
    data = CoverageData(str(reached))
    data.read()
    lines = {path: set(imported.lines(path) or ()) for path in imported.measured_files()}
    tests = {path: data.contexts_by_lineno(path) for path in data.measured_files()}
    return Reach(lines, tests, json.loads(durations.read_text()))


class FixedExamples:
    """pytest plugin that makes Hypothesis use the same examples for every mutant. It disables shrinking."""

    def pytest_sessionstart(self) -> None:
        """Loads a Hypothesis profile.

        At this time, conftest.py has loaded the project's profile, and the tests have not been imported yet.
        """
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings(phases=phases, database=None, derandomize=True))
        settings.load_profile("mutants")


class Trials(FixedExamples):
    """pytest plugin that runs, for each mutant, the tests that execute its lines.

    It replaces pytest's usual loop, which runs each test once.

    Args:
        request: `sources`: mutated files; `tests`: paths for pytest; `mutants`: each with `path`, `lines` and `source`.
        folder: Folder for coverage data.
        imports: Coverage measurement of import and test collection.
        outcomes: Stream that receives a line with the `Outcome` of each mutant.
    """

    def __init__(self, request: dict[str, Any], folder: Path, imports: Coverage, outcomes: TextIO) -> None:
        self._request = request
        self._folder = folder
        self._imports = imports
        self._outcomes = outcomes

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Prints the outcome of each mutant."""
        self._imports.stop()
        reach = measure_reach(session.items, self._imports.get_data(), self._request["sources"], self._folder)
        items = {item.nodeid: item for item in session.items}
        tests = self._request["tests"]
        if run_forked(lambda: _a_test_fails_after_import(tests, reach), _USUAL_TIME) is not Outcome.SURVIVED:
            raise RuntimeError(
                "The tests fail when modules are imported again, so they would kill every mutant of a constant. "
                "Fix the tests first."
            )
        for mutant in self._request["mutants"]:
            with _written(Path(mutant["path"]), mutant["source"]) as before:
                print(self._outcome(mutant, before, reach, items), file=self._outcomes, flush=True)
        return True

    def _outcome(self, mutant: dict[str, Any], before: str, reach: Reach, items: dict[str, pytest.Item]) -> Outcome:
        path, lines, source = mutant["path"], mutant["lines"], mutant["source"]
        executed_at_import = not reach.imported.get(path, set()).isdisjoint(lines)
        if executed_at_import or changed_codes(path, before, source) is None:
            tests = self._request["tests"]
            return run_forked(lambda: _a_test_fails_after_import(tests, reach), sum(reach.durations.values()))
        chosen = [items[test] for test in reach.tests_of(path, lines)]
        usual = sum(reach.durations[item.nodeid] for item in chosen)
        return run_forked(lambda: swap(path, before, source) and _a_test_fails(chosen), usual)


@contextmanager
def _written(path: Path, source: str) -> Iterator[str]:
    """Replaces the content of a source file during a `with` block. Yields the original content."""
    before, stamp = path.read_text(), path.stat()
    path.write_text(source)
    try:
        yield before
    finally:
        path.write_text(before)
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # keeps the compiled file valid


def _a_test_fails(items: Sequence[pytest.Item]) -> bool:
    for item, following in zip(items, [*items[1:], None], strict=bool(items)):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if item.session.testsfailed:
            return True
    return False


class _FastestFirst(FixedExamples):
    def __init__(self, reach: Reach) -> None:
        self._durations = reach.durations

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self._durations.get(item.nodeid, 0.0))


def _a_test_fails_after_import(tests: list[str], reach: Reach) -> bool:
    """Imports the project's modules again and runs all tests. Returns whether a test fails."""
    here = str(Path.cwd())
    for name, module in list(sys.modules.items()):
        if name != "__main__" and (getattr(module, "__file__", None) or "").startswith(here):
            del sys.modules[name]
    return pytest.main([*OPTIONS, *tests], [_FastestFirst(reach)]) != pytest.ExitCode.OK


def main() -> int:
    """Runs the trials that a file describes. The first command line argument is the path of the file.

    Only the outcomes are written to standard output.
    """
    outcomes = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    file = Path(sys.argv[1])
    request = json.loads(file.read_text())
    imports = Coverage(data_file=None, include=request["sources"], config_file=False)
    imports.start()
    return pytest.main([*OPTIONS, *request["tests"]], [Trials(request, file.parent, imports, outcomes)])


if __name__ == "__main__":
    sys.exit(main())
