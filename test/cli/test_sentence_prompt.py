"""Tests of typed sentences, also in a terminal, with a running agent, a tool server and a simulated robot."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from reachy_agent_msgs.action import Converse
from reachy_agent_msgs.msg import AgentState

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.cli.sentence_prompt import step_line
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolOutcome
from support.domains import Purpose
from support.nodes.running_agent import agent_process, agent_runs, agent_state
from support.terminal import Terminal
from support.waiting import wait_until


@pytest.mark.parametrize("code", [ErrorCode.CANCELED, ErrorCode.EMERGENCY_STOPPED])
def test_stopped_tool_has_no_line_besides_end_of_turn(code: ErrorCode) -> None:
    outcome = ToolOutcome("{}", AgentError(code, "The robot was stopped."))
    feedback = Converse.Feedback(kind=Converse.Feedback.TOOL_ENDED, name="dance", text=outcome.for_model)
    assert step_line(feedback) == ""


def test_failed_tool_has_line_with_reason() -> None:
    outcome = ToolOutcome("{}", AgentError(ErrorCode.TIMEOUT, "It took too long."))
    feedback = Converse.Feedback(kind=Converse.Feedback.TOOL_ENDED, name="dance", text=outcome.for_model)
    assert step_line(feedback) == "! dance: It took too long."


PROGRAM = """
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.cli.sentence_prompt import SentencePrompt

with GraphClient("test", NAMESPACE) as client:
    SentencePrompt(client).run()
print("It has ended.")
"""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    with agent_process(tmp_path, "hardware_bridge", "tool_server", purpose=Purpose.PROMPT) as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        wait_until(agent_runs, "the agent")
        wait_until(lambda: agent_state().state == AgentState.READY, "the agent to know its tools")
        yield environment


@pytest.fixture
def terminal(environment: dict[str, str]) -> Iterator[Terminal]:
    terminal = Terminal([sys.executable, "-c", PROGRAM], environment)
    try:
        terminal.wait_for("> $")
        yield terminal
    finally:
        terminal.close()


@pytest.mark.slow
@pytest.mark.usefixtures("environment")
def test_agent_reports_end_of_time_limit_of_asked_turn(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "--silent", "--timeout", "1s", "look 60 degrees left over ten seconds"]) != 0
    assert "The turn exceeded its time limit of 1 s." in capfd.readouterr().out


@pytest.mark.slow
def test_prompt_prints_replies_and_stop_cancels_all_turns(terminal: Terminal) -> None:
    terminal.type("what is the capital of France\n")
    terminal.wait_for("I need a language model for that")
    terminal.type("look 60 degrees left over ten seconds\n")
    terminal.wait_for("> turn my head 60 degrees to the left in 10 seconds")
    terminal.type("look right\n")
    terminal.wait_for("Queued: 1 turn runs or waits before this one.")
    terminal.type("stop\n")
    terminal.wait_for("I stopped.")
    terminal.wait_for("over ten seconds: The turn was canceled.")
    terminal.wait_for("look right: The turn was canceled.")
    terminal.type("quit\n")
    terminal.wait_for("It has ended.")


@pytest.mark.slow
def test_first_interrupt_stops_robot_and_second_ends_prompt(terminal: Terminal) -> None:
    terminal.type("look 60 degrees left over ten seconds\n")
    terminal.wait_for("> turn my head 60 degrees to the left in 10 seconds")
    terminal.interrupt()
    terminal.wait_for("The robot is stopped. Press Ctrl-C again to leave.")
    terminal.wait_for("over ten seconds: .*(cancel|stop)")
    terminal.interrupt()
    terminal.wait_for("Traceback|It has ended.")
    assert "Traceback" not in terminal.shown


LESSON = "I cannot learn another way to turn my head."


@pytest.mark.slow
def test_prompts_print_why_robot_cannot_learn_from_criticism(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    nodes = ("hardware_bridge", "tool_server", "feedback", "trainer")
    with agent_process(tmp_path, *nodes, purpose=Purpose.PROMPT) as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        wait_until(agent_runs, "the agent")
        wait_until(lambda: agent_state().state == AgentState.READY, "the agent to know its tools")

        def lesson_is_printed() -> bool:
            assert main(["ask", "--silent", "look up"]) == 0
            assert main(["ask", "--silent", "that was too far up"]) == 0
            return LESSON in capfd.readouterr().out

        wait_until(lesson_is_printed, "the reward model to be loaded")
        terminal = Terminal([sys.executable, "-c", PROGRAM], environment)
        terminal.wait_for("> $")
        terminal.type("that was too far up\n")
        terminal.wait_for(LESSON)
        terminal.close()
