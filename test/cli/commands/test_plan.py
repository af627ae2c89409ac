import json
from functools import partial

import pytest

from reachy_agent_ros.cli.commands import plan
from reachy_agent_ros.core.errors import AgentError
from support.command_line import run_command
from support.nodes.running_agent import CallTool
from support.waiting import PATIENCE, wait_until

STEPS = [{"title": "look left", "expectation": "the head is turned"}]
ARGUMENTS = json.dumps({"goal": "show the room", "steps": STEPS})


run = partial(run_command, plan)


def test_plan_command_prints_plan_as_text_and_json(agent: CallTool, capfd: pytest.CaptureFixture[str]) -> None:
    agent("drop_plan", '{"reason": "it was another test\'s"}').result(PATIENCE)
    assert agent("make_plan", ARGUMENTS).result(PATIENCE).error_msg == ""

    def shown() -> bool:
        run("--json")
        return json.loads(capfd.readouterr().out)["goal"] == "show the room"

    wait_until(shown, "the plan")
    assert run("--session", "calls of test") == 0
    first, *rest = capfd.readouterr().out.splitlines()
    assert first.startswith("show the room  (revision 1)")
    assert rest == [
        "[ ] 1 look left expected: the head is turned",
        "Conversation calls of test; the plan is not reviewed.",
    ]
    with pytest.raises(AgentError, match="latest plan belongs to 'calls of test'"):
        run("--session", "kitchen")


@pytest.mark.usefixtures("agent")
def test_plan_command_sets_and_shows_review_mode(capfd: pytest.CaptureFixture[str]) -> None:
    for review, told in (("steps", "you approve each step"), ("act", "the plan is not reviewed")):
        assert run("review", review) == 0
        assert capfd.readouterr().out == f"From now on {told}.\n"
        assert run() == 0
        assert told in capfd.readouterr().out
