"""Tests of `reachy-agent chat` with a real agent.

The tests of turns and Ctrl-C are in test/cli/test_sentence_prompt.py.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.core.paths import state_directory
from support.nodes.running_agent import CallTool
from support.terminal import Terminal

CHAT = [sys.executable, "-m", "reachy_agent_ros.cli.cli", "chat", "--silent"]


@pytest.fixture
def terminal(agent: CallTool, _environment: dict[str, str]) -> Iterator[Terminal]:
    terminal = Terminal(CHAT, _environment)
    try:
        terminal.wait_for("> $")
        yield terminal
    finally:
        terminal.close()


def test_chat_runs_slash_commands_and_saves_history(terminal: Terminal) -> None:
    terminal.type("/pla\t\n")
    terminal.wait_for("There is no plan|Conversation")
    terminal.type("/session kitchen\n")
    terminal.wait_for("continues the conversation kitchen.")
    terminal.type("/quit\n")
    assert terminal.wait_for_end() == 0
    assert (state_directory() / "chat_history").read_text().splitlines()[-3:] == ["/plan ", "/session kitchen", "/quit"]


def test_help_lists_commands_if_robot_is_idle(terminal: Terminal) -> None:
    terminal.type("help\n")
    terminal.wait_for("(?s)Type a sentence for the robot.*/quit, Ctrl-D")


def test_second_interrupt_ends_chat_even_without_robot(terminal: Terminal) -> None:
    terminal.interrupt()
    terminal.wait_for("(?s)The robot did not confirm the stop: .*Press Ctrl-C again to leave.*> $")
    terminal.interrupt()
    assert terminal.wait_for_end() == 0


def test_chat_rejects_input_that_is_not_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    assert main(["chat"]) == 2
    assert "reachy-agent ask" in capsys.readouterr().err
