"""Tests of mutation testing on a small project. The outcomes of its mutants are known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mutation.mutants import Mutant, mutants_of

ROOT = Path(__file__).parents[2]

SOURCE = """\
LEAST = 3

def is_long(word):
    return len(word) >= LEAST

def first(words):
    while words and not is_long(words[0]):
        words = words[1:]
    return words[0] if words else None

def untested(number):
    return number + 1
"""
TESTS = """\
from shop import first, is_long

def test_three_letters_are_long():
    assert is_long("abc") and not is_long("ab")

def test_the_first_long_word():
    assert first(["a", "bcd"]) == "bcd"
    assert first([]) is None
"""


def run_trials(folder: Path, tests: str) -> subprocess.CompletedProcess[str]:
    source, request = folder / "shop.py", folder / "request.json"
    source.write_text(SOURCE)
    (folder / "test_shop.py").write_text(tests)
    mutants = [
        {"path": str(source), "lines": list(mutant.lines), "source": mutant.source} for mutant in mutants_of(SOURCE)
    ]
    request.write_text(json.dumps({"sources": [str(source)], "tests": ["test_shop.py"], "mutants": mutants}))
    command = [sys.executable, "-m", "mutation.trials", str(request)]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT}/test"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.nightly
def test_reports_outcome_of_each_mutant(tmp_path: Path) -> None:
    done = run_trials(tmp_path, TESTS)
    assert done.returncode == 0, done.stderr
    outcomes = {str(mutant): outcome for mutant, outcome in zip(mutants_of(SOURCE), done.stdout.split(), strict=True)}
    assert outcomes["1  3  ->  4"] == "killed"  # executed only at import
    assert outcomes["4  len(word) >= LEAST  ->  len(word) > LEAST"] == "killed"
    assert outcomes["12  number + 1  ->  number - 1"] == "survived"
    assert {mutant.split()[0] for mutant, outcome in outcomes.items() if outcome == "survived"} == {"12"}
    assert (tmp_path / "shop.py").read_text() == SOURCE


@pytest.mark.nightly
def test_rejects_tests_that_fail_without_mutant(tmp_path: Path) -> None:
    done = run_trials(tmp_path, TESTS + "    assert first(['ab']) == 'ab'\n")
    assert done.returncode != 0
    assert done.stdout == ""
    assert "The tests fail without a mutant" in done.stderr


@pytest.mark.nightly
def test_rejects_modules_that_cannot_be_imported_again(tmp_path: Path) -> None:
    done = run_trials(
        tmp_path, "import sys\nassert not hasattr(sys, 'imported_once')\nsys.imported_once = True\n" + TESTS
    )
    assert done.returncode != 0
    assert done.stdout == ""
    assert "fail when modules are imported again" in done.stderr


@pytest.mark.parametrize("mutant", list(mutants_of(SOURCE)), ids=str)
def test_written_mutant_differs_from_source(mutant: Mutant) -> None:
    assert mutant.source != SOURCE
