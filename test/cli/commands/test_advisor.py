import json
from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.cli.commands import advisor
from support.command_line import run_command

run = partial(run_command, advisor)


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))


def test_advisor_shows_zeros_without_rated_choices(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"judged": 0, "unjudged": 0, "refused": 0, "versions": []}


@pytest.mark.parametrize("what", ["train", "evaluate"])
def test_advisor_rejects_training_with_too_few_rated_choices(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advisor", what]) == 1
    assert "Too few rated tool choices to learn from: 0 of 50." in capsys.readouterr().err
