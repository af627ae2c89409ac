"""Tests of repeated test runs.

The tests use a small repository with a fake test suite, whose result is stored in files.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import ROOT

SUITE = """#!/usr/bin/env bash
echo run >> "$COUNTER"
mkdir -p out/test
cp report.xml out/test/packages.xml
exit "$(cat status)"
"""
PASSED = '<testsuite><testcase classname="test.core.test_a" name="test_adds"/></testsuite>'
FAILED = PASSED.replace("/></testsuite>", "><failure/></testcase></testsuite>")


class Repository:
    """Git repository with one commit. It counts the runs of its test suite."""

    def __init__(self, folder: Path, report: str, status: int) -> None:
        self.folder = folder / "repository"
        self._counter = folder / "runs"
        self.write("scripts/test", SUITE)
        self.folder.joinpath("scripts/test").chmod(0o755)
        self.write(".gitignore", "/out/\n")
        self.write("report.xml", report)
        self.write("status", str(status))
        for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "suite: add")):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.folder, check=True)

    def write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def series(self, runs: int) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "scripts.stability_runs", "--runs", str(runs)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "COUNTER": str(self._counter)}
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60)

    @property
    def runs(self) -> int:
        return len(self._counter.read_text().splitlines())


def test_continues_interrupted_series_of_runs(tmp_path: Path) -> None:
    repository = Repository(tmp_path, PASSED, 0)
    first, second = repository.series(1), repository.series(3)
    assert (first.returncode, second.returncode) == (0, 0), second.stderr
    assert repository.runs == 3
    assert [line.split()[2] for line in second.stdout.splitlines()[:3]] == ["idle", "busy", "idle"]
    assert second.stdout.splitlines()[-1] == "3 executions, 0 failures"


def test_lists_ids_of_failed_tests(tmp_path: Path) -> None:
    done = Repository(tmp_path, FAILED, 1).series(2)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "2 executions, 2 failures"
    assert "failures: test/core/test_a.py::test_adds" in done.stdout.splitlines()[0]


def test_series_fails_if_only_style_or_type_check_fails(tmp_path: Path) -> None:
    done = Repository(tmp_path, PASSED, 2).series(1)
    assert done.returncode == 1
    assert "exit status 2" in done.stdout


@pytest.mark.parametrize("name", ["report.xml", "new_file.py"])
def test_rejects_uncommitted_changes(tmp_path: Path, name: str) -> None:
    repository = Repository(tmp_path, PASSED, 0)
    repository.write(name, "changed")
    done = repository.series(1)
    assert done.returncode == 1
    assert name in done.stderr
    assert "Commit or remove these changes first" in done.stderr
