"""Tests that `reachy-agent config` saves only valid values, and shows the origin of every value."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.cli.commands import config
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.command_line import run_command

run = partial(run_command, config)


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    return tmp_path / "reachy_agent.yaml"


def test_config_sets_reads_explains_and_unsets_parameter(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run("set", "hardware_bridge.breathing_pause", "2")
    assert "takes effect at the next start of the node: reachy-agent restart hardware_bridge" in capfd.readouterr().out
    run("get", "hardware_bridge.breathing_pause")
    assert capfd.readouterr().out == "2.0\n"
    run("explain", "hardware_bridge.breathing_pause")
    explained = capfd.readouterr().out
    assert explained.startswith("hardware_bridge.breathing_pause = 2.0 (reachy_agent.yaml, line 2)\n")
    assert "Expected: a number from 0 to 3600 (s). Default: 5.0." in explained
    run("list", "--changed", "--json")
    assert json.loads(capfd.readouterr().out)["name"] == "hardware_bridge.breathing_pause"
    run("unset", "hardware_bridge.breathing_pause")
    run("list", "--changed")
    assert "All settings have their defaults." in capfd.readouterr().err


@pytest.mark.parametrize("installed", [True, False])
def test_config_set_prints_ros2_command_for_live_parameter_if_ros2_is_installed(
    tmp_path: Path, installed: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if installed:
        (tmp_path / "ros2").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    run("set", "tts.volume", "0.5")
    printed = capfd.readouterr().out
    assert ("ros2 param set /reachy_mini/tts volume 0.5" in printed) == installed
    assert "reachy-agent restart tts" in printed


def test_list_names_argument_as_origin_of_its_value(capfd: pytest.CaptureFixture[str]) -> None:
    run("set", "audio_sink", "speaker")
    run("list", "tts", "--json")
    lines = map(json.loads, capfd.readouterr().out.splitlines()[1:])
    shown = {one["name"]: (one["value"], one["origin"]) for one in lines}
    assert shown["tts.sink"] == ("speaker", "argument audio_sink")
    assert shown["tts.volume"] == (1.0, "default")


def test_list_shows_unit_and_choices_once(capfd: pytest.CaptureFixture[str]) -> None:
    run("list", "--json")
    shown = {one["name"]: one for one in map(json.loads, capfd.readouterr().out.splitlines())}
    assert shown["plan_review"]["allowed"] == "act, plan or steps"
    breathing = shown["hardware_bridge.breathing_pause"]
    assert (breathing["allowed"], breathing["unit"]) == ("a number from 0 to 3600", "s")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("set", "tts.volume", "2"), "expected a number from 0 to 1"),
        (("set", "tts.volum", "1"), "Did you mean tts.volume?"),
        (("get", "robt"), "Did you mean robot?"),
        (("list", "mouth"), "Unknown node 'mouth'"),
        (("set", "feedback_database", "postgresql://robot:hunter2@db/x"), "contains a password or key"),
    ],
)
def test_invalid_request_does_not_create_settings_file(file: Path, words: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(AgentError) as caught:
        run(*words)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    assert complaint in caught.value.message
    assert not file.exists()


def test_check_reports_line_of_unknown_setting(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file.write_text("robot: mujoco\ntts:\n  volum: 1\n")
    with pytest.raises(AgentError, match=r"reachy_agent\.yaml, line 3: unknown setting 'tts\.volum'"):
        run("check")
    file.write_text("robot: mujoco\n")
    run("check")
    assert capfd.readouterr().out == f"{file} is valid: 1 setting.\n"


def test_check_reports_unknown_tool_of_agent(file: Path) -> None:
    agents = file.with_name("agents.yaml")
    agents.write_text("agents:\n  robot:\n    without: [danse, remember, notion_read]\n")
    file.with_name("mcp.yaml").write_text("servers: {notion: {command: notion}}\n")
    with pytest.raises(
        AgentError, match=r"agents\.yaml: line 3: agents robot without 1: .*'danse'\. Did you mean dance\?"
    ):
        run("check")
    agents.write_text(agents.read_text().replace("danse", "dance"))
    assert run("check") == 0


def editor(folder: Path, text: str) -> str:
    """Returns the command of a fake editor that replaces the text of a file."""
    (folder / "new.txt").write_text(text)
    script = folder / "editor"
    script.write_text(f'#!/bin/sh\ncp "{folder}/new.txt" "$1"\n')
    script.chmod(0o755)
    return str(script)


def test_edit_saves_valid_text(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor(tmp_path, "robot: daemon\n"))
    run("edit")
    assert file.read_text() == "robot: daemon\n"


def test_edit_keeps_file_and_draft_of_invalid_text(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("robot: mujoco\n")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor(tmp_path, "robot: dog\n"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(AgentError) as caught:
        run("edit")
    assert file.read_text() == "robot: mujoco\n"
    draft = Path(caught.value.message.rpartition(" ")[2].rstrip("."))
    assert draft.read_text() == "robot: dog\n"
    draft.unlink()


def test_edit_without_editor_says_how_to_set_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor")
    with pytest.raises(AgentError, match="Set EDITOR"):
        run("edit")
