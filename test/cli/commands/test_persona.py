import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.cli.commands import persona
from reachy_agent_ros.core.errors import AgentError
from support.command_line import run_command
from support.nodes.running_agent import agent_state
from support.waiting import wait_until


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    return tmp_path


run = partial(run_command, persona)


def lines(capsys: pytest.CaptureFixture[str]) -> list[Any]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_list_marks_selected_and_invalid_personas(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = state / "personas" / "broken"
    broken.mkdir(parents=True)
    (broken / "persona.yaml").write_text("tools: 1")
    (state / "persona").write_text("companion\n")
    assert run("list") == 0
    told = capsys.readouterr().out
    assert "*  companion  A quiet companion" in told
    assert "   broken     not usable: " in told
    assert run("list", "--json") == 0
    listed = lines(capsys)
    assert [line["name"] for line in listed if line["active"]] == ["companion"]
    assert [line["name"] for line in listed if line["error"]] == ["broken"]
    assert len({frozenset(line) for line in listed}) == 1


def test_persona_command_shows_instructions(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "performer") == 0
    told = capsys.readouterr().out
    assert "Tools: dance, " in told
    assert "You are Reachy, " in told
    assert run("show", "performer", "--json") == 0
    assert lines(capsys)[0]["instructions"] in told
    with pytest.raises(AgentError, match="no persona 'nobody'"):
        run("show", "nobody")


def test_check_reports_errors_in_folder_of_persona(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = state / "anywhere" / "mine"
    folder.mkdir(parents=True)
    (folder / "persona.yaml").write_text("description: Mine.\ntools: []\n")
    assert run("check", str(folder)) == 1
    assert "instructions.md does not exist" in capsys.readouterr().err
    (folder / "instructions.md").write_text("{include:common/character.md}\n\nBe mine.\n")
    assert run("check", str(folder)) == 0
    assert capsys.readouterr().out == "mine is valid: Mine.\n"
    (folder / "instructions.md").write_text("Be\n{mine}\n")
    assert run("check", str(folder), "--json") == 1
    result = lines(capsys)[0]
    assert not result["accepted"]
    assert "instructions.md:2: there is no value {mine}" in result["error"]


@pytest.mark.usefixtures("agent")
def test_switches_persona_of_running_robot(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("use", "companion") == 0
    assert capfd.readouterr().out == "The persona companion is active from the next turn on.\n"
    wait_until(lambda: agent_state().persona == "companion")
    with pytest.raises(AgentError, match="no persona 'nobody'"):
        run("use", "nobody")
    assert run("use", "reachy", "--json") == 0
    assert lines(capfd) == [{"name": "reachy"}]
