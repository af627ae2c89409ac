"""Tests that the steps of all demo scenarios are valid commands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reachy_agent_ros.cli.cli import command_parser
from reachy_agent_ros.cli.commands import demo
from reachy_agent_ros.cli.commands.demo import SCENARIOS, SOUNDS, DemoScenario
from reachy_agent_ros.core.paths import configuration_file, state_directory

PARSER = command_parser()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_every_step_of_demo_is_a_valid_command(scenario: DemoScenario) -> None:
    sounds = configuration_file(SOUNDS).parent
    for step in scenario.steps:
        words = [word.format(sounds=sounds, out="out") for word in step.command]
        arguments = PARSER.parse_args(words)
        if arguments.command == "hear":
            assert arguments.file.is_file()


def test_demo_leaves_state_of_user_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("state", "runtime"):
        monkeypatch.setenv(f"REACHY_AGENT_{name.upper()}", str(tmp_path / name))
    used: list[Path] = []

    @contextmanager
    def graph() -> Iterator[int]:
        (state_directory() / "feedback.db").write_text("as a node would")
        used.append(state_directory())
        yield 0

    def play(_arguments: argparse.Namespace) -> int:
        used.append(state_directory())
        return 0

    monkeypatch.setattr(demo, "own_graph", graph)
    monkeypatch.setattr(demo, "_demonstrate", play)
    for scenario in SCENARIOS:
        assert demo.run(PARSER.parse_args(["demo", scenario.name, "--out", str(tmp_path / "out")])) == 0
    assert state_directory() == tmp_path / "state"
    assert list((tmp_path / "state").iterdir()) == []
    assert tmp_path / "state" not in used
    assert not any(folder.exists() for folder in used)
