"""Tests of the area names that `reachy-agent bench`, `scripts/evaluate`, `scripts/chaos` and `scripts/fuzz` accept."""

import re
import subprocess
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from bench.areas import PROGRAMS, area_parser, areas, main
from reachy_agent_ros.cli.cli import main as reachy_agent
from support import ROOT

EVERY_AREA = [(package, area) for package in PROGRAMS for area in areas(package)]
BENCHMARKS = list(areas("bench"))


def test_bench_lists_benchmarks_only(capsys: pytest.CaptureFixture[str]) -> None:
    others = {area for package, area in EVERY_AREA if package != "bench"}
    assert others.isdisjoint(BENCHMARKS)
    assert {"graph", "gateway", "memory", "toolsmith", "motion", "joining"} <= set(BENCHMARKS)
    with pytest.raises(SystemExit):
        reachy_agent(["bench", "--help"])
    assert "one of: " + ", ".join(BENCHMARKS) in " ".join(capsys.readouterr().out.split())


def test_bench_rejects_unknown_area_and_lists_available_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert reachy_agent(["bench", "reflex"]) == 2
    assert f"Unknown benchmark 'reflex'. Available: {', '.join(BENCHMARKS)}." in capsys.readouterr().err


@pytest.mark.parametrize("package", PROGRAMS)
def test_script_rejects_unknown_area_and_lists_available_ones(package: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(package, "", ["unknown"])
    assert exit_.value.code == 2
    message = capsys.readouterr().err
    assert "'unknown'" in message
    assert all(repr(area) in message for area in areas(package))


@pytest.mark.parametrize("script", ["evaluate", "chaos", "fuzz"])
def test_script_lists_areas(script: str) -> None:
    package = next(name for name, program in PROGRAMS.items() if program == f"scripts/{script}")
    printed = subprocess.run([ROOT / "scripts" / script, "--help"], check=True, capture_output=True, text=True).stdout
    assert "one of: " + ", ".join(areas(package)) in " ".join(printed.split())


@pytest.mark.parametrize("package", PROGRAMS)
def test_area_names_are_unique_within_package(package: str) -> None:
    (folder,) = import_module(package).__path__
    texts = [path.read_text(encoding="utf-8") for path in Path(folder).rglob("*.py")]
    defining = [text for text in texts if re.search(r"^def main\(\s*as_json", text, re.M)]
    assert len(defining) == len(areas(package))


@pytest.mark.parametrize(("package", "area"), EVERY_AREA)
def test_docstring_of_area_contains_its_command(package: str, area: str) -> None:
    documentation = import_module(areas(package)[area]).__doc__ or ""
    first = documentation.partition("\n")[0]
    assert first.endswith(".")
    assert f"{PROGRAMS[package]} {area}" in documentation


@pytest.mark.parametrize("area", BENCHMARKS)
def test_benchmark_accepts_options_full_and_json(area: str) -> None:
    assert vars(area_parser("bench", area).parse_args(["--full", "--json"])) == {"full": True, "json": True}
    assert signature(import_module(areas("bench")[area]).main).parameters["full"].default is False
