"""The program that tries mutants, on a small project of which it is known what its tests notice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mutation.mutants import Mutant, mutants_of

PROGRAM = Path(__file__).parents[2] / "test" / "mutation" / "mutant_trials.py"

SOURCE = """\
LEAST = 3

def is_long(word):
    return len(word) >= LEAST

def first(words):
    while words and not is_long(words[0]):
        words = words[1:]
    return words[0] if words else None

def nobody_tests(number):
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


def told(folder: Path, tests: str) -> subprocess.CompletedProcess[str]:
    source, request = folder / "shop.py", folder / "request.json"
    source.write_text(SOURCE)
    (folder / "test_shop.py").write_text(tests)
    mutants = [
        {"path": str(source), "lines": list(mutant.lines), "source": mutant.source} for mutant in mutants_of(SOURCE)
    ]
    request.write_text(json.dumps({"sources": [str(source)], "tests": ["test_shop.py"], "mutants": mutants}))
    command = [sys.executable, str(PROGRAM), str(request)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_what_the_tests_notice_is_killed_and_what_they_do_not_is_told(tmp_path: Path) -> None:
    done = told(tmp_path, TESTS)
    assert done.returncode == 0, done.stderr
    answers = {str(mutant): answer for mutant, answer in zip(mutants_of(SOURCE), done.stdout.split(), strict=True)}
    assert answers["1  3  ->  4"] == "yes"  # executed by the import alone
    assert answers["4  len(word) >= LEAST  ->  len(word) > LEAST"] == "yes"
    assert answers["12  number + 1  ->  number - 1"] == "no"
    assert [mutant for mutant, answer in answers.items() if answer == "no" and not mutant.startswith("12")] == []
    assert (tmp_path / "shop.py").read_text() == SOURCE


def test_of_tests_that_fail_anyway_nothing_is_said(tmp_path: Path) -> None:
    done = told(tmp_path, TESTS + "    assert first(['ab']) == 'ab'\n")
    assert done.returncode != 0
    assert done.stdout == ""
    assert "nothing can be said of mutants" in done.stderr


@pytest.mark.parametrize("mutant", list(mutants_of(SOURCE)), ids=str)
def test_every_mutant_of_it_is_another_source(mutant: Mutant) -> None:
    assert mutant.source != SOURCE
