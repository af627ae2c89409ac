from __future__ import annotations

import pytest

from mutation.__main__ import AREAS, EQUIVALENT, ROOT, Area, mutants_in
from mutation.mutants import mutants_of

ENTRIES = [line.split("\t") for line in EQUIVALENT.read_text().splitlines()]


@pytest.mark.parametrize(("path", "line", "replacement", "reason"), ENTRIES)
def test_listed_equivalent_mutants_exist(path: str, line: str, replacement: str, reason: str) -> None:
    source = (ROOT / path).read_text()
    lines = [each.strip() for each in source.splitlines()]
    assert reason
    assert (line, replacement) in {(lines[mutant.lines[0] - 1], mutant.after) for mutant in mutants_of(source)}


def test_mutation_testing_skips_equivalent_mutants() -> None:
    path, line, replacement, _ = ENTRIES[0]
    source = (ROOT / path).read_text()
    lines = [text.strip() for text in source.splitlines()]
    (listed,) = (mutant for mutant in mutants_of(source) if lines[mutant.lines[0] - 1] == line)
    tried = [mutant for _, mutant in mutants_in(ROOT, AREAS["validator"], path)]
    assert listed.after == replacement
    assert listed not in tried
    assert tried


@pytest.mark.parametrize("area", AREAS.values(), ids=AREAS)
def test_mutation_area_has_existing_sources_and_tests(area: Area) -> None:
    assert all(list(ROOT.glob(pattern)) for pattern in area.sources)
    assert all((ROOT / path).exists() for path in area.tests)


def test_option_limits_mutants_to_given_file() -> None:
    paths = {path for path, _ in mutants_in(ROOT, AREAS["gate"], "robot/limiter.py")}
    assert paths == {"reachy_agent_ros/robot/limiter.py"}
