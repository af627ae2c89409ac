import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from reachy_agent_msgs.action import ExecuteTool

from reachy_agent_ros.cli.commands import approvals, grants, plan
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.command_line import run_command
from support.nodes.running_agent import CallTool
from support.waiting import PATIENCE, wait_until

STEPS = [{"title": "look left", "expectation": "the head is turned"}]
ARGUMENTS = json.dumps({"goal": "show the room", "steps": STEPS})


def run(*words: str, command: Any = approvals) -> int:
    return run_command(command, *words)


@pytest.fixture(autouse=True)
def _reviewed(agent: CallTool) -> Iterator[None]:
    run("review", "plan", command=plan)
    yield
    run("review", "act", command=plan)


def asked(agent: CallTool, capfd: pytest.CaptureFixture[str], count: int = 1) -> list[Future[ExecuteTool.Result]]:
    """Starts tool calls that wait for approval."""
    agent("drop_plan", '{"reason": "it was another test\'s"}').result(PATIENCE)
    calls = [agent("make_plan", ARGUMENTS) for _ in range(count)]

    def wait() -> bool:
        capfd.readouterr()
        run("--json")
        return len(capfd.readouterr().out.splitlines()) == count

    wait_until(wait, "the approval requests")
    return calls


def test_single_approval_request_can_be_answered_without_id(agent: CallTool, capfd: pytest.CaptureFixture[str]) -> None:
    (call,) = asked(agent, capfd)
    assert run("list") == 0
    told = capfd.readouterr().out
    assert "Plan: 1. look left. Shall I?" in told
    header, line = told.splitlines()
    assert header.split() == ["ID", "QUESTION", "WHY", "LEFT", "CONVERSATION"]
    assert line.endswith(" s  calls of test")
    assert run("no") == 0
    assert capfd.readouterr().out == "Denied: Plan: 1. look left. Shall I?\n"
    assert call.result(PATIENCE).error_code == ErrorCode.APPROVAL_DENIED
    with pytest.raises(AgentError, match="no question"):
        run("yes")


def test_answers_approval_request_by_id_with_scope(agent: CallTool, capfd: pytest.CaptureFixture[str]) -> None:
    calls = asked(agent, capfd, count=2)
    with pytest.raises(AgentError, match=r"more than one question: .* \(make_plan\), .* \(make_plan\)"):
        run("yes")
    run("list", "--json")
    first, second = (json.loads(line) for line in capfd.readouterr().out.splitlines())
    assert json.loads(first["arguments_json"])["goal"] == "show the room"
    assert run("yes", first["approval_id"][:8], "--for", "10m", "--json") == 0
    assert json.loads(capfd.readouterr().out)["approved"] is True
    assert run("no", second["approval_id"]) == 0
    capfd.readouterr()
    assert sorted(call.result(PATIENCE).error_code for call in calls) == [ErrorCode.NONE, ErrorCode.APPROVAL_DENIED]
    run("--json", command=grants)
    grant = json.loads(capfd.readouterr().out)
    assert (grant["tools"], grant["session_id"]) == (["make_plan"], "calls of test")
    run("revoke", grant["grant_id"], command=grants)


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda number: number.name
)
def test_interrupted_command_withdraws_its_approval_request(
    agent: CallTool, capfd: pytest.CaptureFixture[str], number: signal.Signals
) -> None:
    agent("drop_plan", '{"reason": "it was another test\'s"}').result(PATIENCE)
    command = [sys.executable, "-m", "reachy_agent_ros.cli.cli", "tools", "run", "make_plan", ARGUMENTS]

    def waiting() -> int:
        capfd.readouterr()
        run("--json")
        return len(capfd.readouterr().out.splitlines())

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_until(lambda: waiting() == 1, "the approval request")
        process.send_signal(number)
        assert process.wait(PATIENCE) == (-number if number is signal.SIGKILL else 130)
    wait_until(lambda: waiting() == 0, "the withdrawal of the approval request")
