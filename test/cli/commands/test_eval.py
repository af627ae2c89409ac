"""Tests of `reachy-agent eval` with some of its scenarios."""

import json
from pathlib import Path

import pytest

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.tool_generation.sandbox import landlock

WRONG = """\
- name: looks the wrong way
  turns:
    - say: look left
      tools: [{tool: move_head, arguments: {yaw_deg: -30}}]
"""


LEFT = "a plain command turns the head"


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict]:
    assert main(["eval", "--json", *arguments]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {line["scenario"]: line for line in printed}


@pytest.mark.parametrize(
    "name",
    [
        LEFT,
        pytest.param("the answer to a question is obeyed", marks=pytest.mark.nightly),
        "a stop in the middle of a move ends it",
        pytest.param("the coordinator hands over, the robot specialist acts and answers", marks=pytest.mark.nightly),
        "an emergency stop keeps the robot still, and it says so",
        "a server that breaks off in the middle of a call moves nothing",
        pytest.param("does better at a task after it was told how", marks=pytest.mark.nightly),
    ],
)
def test_evaluation_scenario_passes(capsys: pytest.CaptureFixture[str], name: str) -> None:
    line = lines(capsys, "--scenario", name)[name]
    assert (line["verdict"], line["differences"]) == ("right", [])


def test_failed_scenario_is_reported_with_exit_code_0(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(WRONG, encoding="utf-8")
    line = lines(capsys, "--file", str(file))["looks the wrong way"]
    assert line["verdict"] == "wrong"
    assert line["differences"] == ["move_head: yaw_deg 30.0 instead of -30"]


def test_failed_scenario_is_an_error_if_strict(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(WRONG, encoding="utf-8")
    assert main(["eval", "--strict", "--file", str(file)]) == 1
    assert main(["eval", "--strict", "--scenario", LEFT]) == 0


@pytest.mark.parametrize(
    "name",
    [
        "repairs a tool that failed in use, from how it failed",
        pytest.param("takes a tool back to an earlier version", marks=pytest.mark.nightly),
        "a source that reaches for what is forbidden is refused, whatever the model tries",
    ],
)
def test_scenario_that_writes_tool_passes_with_sandbox(capsys: pytest.CaptureFixture[str], name: str) -> None:
    line = lines(capsys, "--scenario", name)[name]
    if line["verdict"] == "not here":
        pytest.skip(line["differences"][0])
    assert (line["verdict"], line["differences"]) == ("right", [])


def test_scenario_that_writes_tool_is_not_run_without_sandbox(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setenv("PATH", "/nowhere")
    [line] = lines(capsys, "--scenario", "writes a tool for something new*").values()
    assert (line["verdict"], line["differences"]) == ("not here", ["No sandbox is available on this machine."])


def test_eval_skips_scenarios_that_need_model(capsys: pytest.CaptureFixture[str]) -> None:
    line = lines(capsys, "--reflex-only", "--scenario", "small talk*")
    assert [one["verdict"] for one in line.values()] == ["skipped"]


def test_eval_uses_given_endpoint(capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint([ScriptedAnswer("I am Reachy.")]) as server:
        told = lines(capsys, "--endpoint", server.url, "--model", "other", "--scenario", "small talk*")
    [line] = told.values()
    assert (line["verdict"], line["model_calls"], line["tokens"]) == ("right", 1, 110)
    assert server.chats[0]["model"] == "other"


@pytest.mark.parametrize(
    "arguments", [["--scenario", "none of that name"], ["--endpoint", "http://127.0.0.1:9"], ["--file", "/none.yaml"]]
)
def test_eval_rejects_invalid_arguments(arguments: list[str]) -> None:
    assert main(["eval", *arguments]) == 2
