from __future__ import annotations

from dataclasses import dataclass

import pytest

from reachy_agent_ros.cli.slash_commands import SlashCommands
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import NAMESPACE


@dataclass
class Settings:
    session: str = ""
    speak: bool = True


@pytest.fixture
def settings() -> Settings:
    return Settings()


@pytest.fixture
def commands(settings: Settings) -> SlashCommands:
    return SlashCommands(settings, NAMESPACE)


def test_slash_commands_change_settings_of_conversation(commands: SlashCommands, settings: Settings) -> None:
    assert commands.run("mute") == "Replies are printed only."
    assert commands.run("session kitchen") == "Your next sentence continues the conversation kitchen."
    assert settings == Settings("kitchen", False)
    commands.run("unmute")
    commands.run("session")
    assert settings == Settings()


def test_slash_command_runs_command_of_program(commands: SlashCommands, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.run('intent "look left"') == ""
    assert capsys.readouterr().out.startswith("act   'look left': move_head")


def test_slash_command_accepts_former_name(commands: SlashCommands, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.run("policies --help") == ""
    assert capsys.readouterr().out.startswith("usage: reachy-agent skills")


def test_slash_command_uses_namespace_of_conversation(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    assert SlashCommands(settings, "/other").run("restart") == ""
    assert "runs in /other" in capsys.readouterr().err


def test_slash_command_can_select_another_namespace(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    assert SlashCommands(settings, "/other").run("restart --namespace /third") == ""
    assert "runs in /third" in capsys.readouterr().err


@pytest.mark.parametrize(("line", "output"), [("tokens list", "There are no tokens."), ("score good", "'good'")])
def test_command_without_graph_runs_in_conversation_with_another_namespace(
    settings: Settings, capsys: pytest.CaptureFixture[str], line: str, output: str
) -> None:
    assert SlashCommands(settings, "/other").run(line) == ""
    assert output in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("down", "does not work in a chat"),
        ('say "hi', "No closing quotation"),
        ("statsu", r"Unknown command /statsu\. Did you mean /status\?"),
        ("unmut", r"Did you mean /unmute\?"),
        ("zzzz", "/help lists the commands"),
    ],
)
def test_rejects_invalid_slash_command(commands: SlashCommands, line: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as caught:
        commands.run(line)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS


@pytest.mark.parametrize("line", ["", "help"])
def test_help_explains_conversation(commands: SlashCommands, line: str) -> None:
    assert "Ctrl-C" in commands.run(line)


def test_completes_slash_commands_and_subcommands(commands: SlashCommands) -> None:
    assert {"/mute", "/status", "/quit", "/approvals"} <= set(commands.candidates(""))
    assert "/up" not in commands.candidates("")
    assert commands.candidates("/approvals ") == ["list", "yes", "no"]
    assert commands.candidates("/approvals yes ") == commands.candidates("/status ") == []
