"""Runs tests on one mutant after another, each in a process forked from one that has imported and collected everything.

A program of its own, which `mutation.py` starts in a copy of the checkout: mutants are written into that copy, so that
processes which tests start have them as well.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import pytest
from coverage import Coverage
from hypothesis import Phase, settings

from mutation.forked import ask
from mutation.reach import Reach, executed_lines, measure
from mutation.swapped_code import other_codes, swap

OPTIONS = ("-q", "-x", "-s", "-p", "no:cacheprovider", "--timeout=30")  # what waits for ever is noticed


class SameExamples:
    """A pytest plugin: Hypothesis finds the same examples for every mutant, and does not simplify those that fail."""

    def pytest_sessionstart(self) -> None:
        """After the project's own profile was loaded, and before tests are imported."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings(phases=phases, database=None, derandomize=True))
        settings.load_profile("mutants")


class Trials(SameExamples):
    """A pytest plugin that runs the tests that concern a mutant, instead of each test once.

    Args:
        request: `sources`: files that are mutated; `tests`: what pytest collects; `mutants`: each with `path`, `lines`
            and `source`.
        folder: For what is measured.
        imports: Watches what is executed until all is collected.
        answers: Takes a line with an `Answer` for each mutant: whether a test fails.
    """

    def __init__(self, request: dict[str, Any], folder: Path, imports: Coverage, answers: TextIO) -> None:
        self._request = request
        self._folder = folder
        self._imports = imports
        self._answers = answers

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Answers for each mutant."""
        self._imports.stop()
        imported = executed_lines(self._imports.get_data())
        reach = measure(session.items, imported, self._request["sources"], self._folder)
        items = {item.nodeid: item for item in session.items}
        for mutant in self._request["mutants"]:
            with _written(Path(mutant["path"]), mutant["source"]) as before:
                print(self._answer(mutant, before, reach, items), file=self._answers, flush=True)
        return True

    def _answer(self, mutant: dict[str, Any], before: str, reach: Reach, items: dict[str, pytest.Item]) -> str:
        path, lines, source = mutant["path"], mutant["lines"], mutant["source"]
        executed_at_import = not reach.imported.get(path, set()).isdisjoint(lines)
        if executed_at_import or other_codes(path, before, source) is None:
            tests = self._request["tests"]
            return ask(lambda: _one_fails_when_imported_anew(tests, reach), sum(reach.durations.values()))
        reaching = reach.of(path, lines)
        chosen = [items[test] for test in reaching]
        usual = sum(reach.durations[test] for test in reaching)
        return ask(lambda: swap(path, before, source) and _one_fails(chosen), usual)


@contextmanager
def _written(path: Path, source: str) -> Iterator[str]:
    """Puts a source into a file for a while, and gives what is there otherwise."""
    before, stamp = path.read_text(), path.stat()
    path.write_text(source)
    try:
        yield before
    finally:
        path.write_text(before)
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # what is compiled of it is still good


def _one_fails(items: Sequence[pytest.Item]) -> bool:
    for item, following in zip(items, [*items[1:], None], strict=bool(items)):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if item.session.testsfailed:
            return True
    return False


class _QuickestFirst(SameExamples):
    def __init__(self, reach: Reach) -> None:
        self._durations = reach.durations

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self._durations.get(item.nodeid, 0.0))


def _one_fails_when_imported_anew(tests: list[str], reach: Reach) -> bool:
    here = str(Path.cwd())
    for name, module in list(sys.modules.items()):
        if name != "__main__" and (getattr(module, "__file__", None) or "").startswith(here):
            del sys.modules[name]
    return pytest.main([*OPTIONS, *tests], [_QuickestFirst(reach)]) != pytest.ExitCode.OK


def main() -> int:
    """Reads the request from the file named first, and measures into its folder. Standard output is for answers."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    file = Path(sys.argv[1])
    request = json.loads(file.read_text())
    imports = Coverage(data_file=None, include=request["sources"], config_file=False)
    imports.start()
    return pytest.main([*OPTIONS, *request["tests"]], [Trials(request, file.parent, imports, answers)])


if __name__ == "__main__":
    sys.exit(main())
