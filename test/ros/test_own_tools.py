"""End-to-end test of tool generation, review and use, with a scripted model."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from reachy_agent_msgs.srv import GetTool

from reachy_agent_ros.cli.commands import tools
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from reachy_agent_ros.tool_generation.write_tool import examples
from support.nodes.agent_client import AgentClient
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ServiceCaller
from support.waiting import PATIENCE, wait_until

NAME = "periodic_photo_capture"


def source() -> str:
    """Returns the source of the example tool `NAME` from the examples for models."""
    blocks = (block.partition("```")[0] for block in examples().split("```python\n")[1:])
    return next(block for block in blocks if f"def {NAME}(" in block)


WRITING = ScriptedAnswer(
    calls=(
        (
            "write_tool",
            {
                "source": source(),
                "explanation": "Takes photos at regular intervals; it only looks.",
                "request": "take a photo every second for five seconds",
                "cases": [{"args": {"interval_s": 1.0, "duration_s": 2.0}, "expect": {"count": 2}}],
            },
        ),
    )
)


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        yield server


@pytest.fixture(scope="module")
def client(ros: Ros, server: ScriptedEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentClient]:
    directory = str(tmp_path_factory.mktemp("state"))
    model = {"model_endpoint": server.url, "model_name": "scripted", "directory": directory}
    with (
        NodeProcess("hardware_bridge") as bridge,
        NodeProcess("camera") as camera,
        NodeProcess("tool_server", {"directory": directory, "photo_directory": directory}) as tool_server,
        NodeProcess("agent", model) as agent,
    ):
        for node in (bridge, camera, tool_server, agent):
            node.wait_ready()
        client = AgentClient(ros)
        wait_until(lambda: client.agent.ready and client.tool_server.ready)
        client.wait_for_model()
        yield client
        for node in (agent, tool_server, camera, bridge):
            assert node.stop() == 0


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Callable[..., list[Any]]:
    """Function that runs `reachy-agent tools ... --json` in this process. Returns the parsed lines of the output."""

    def run(*words: str) -> list[Any]:
        parser = argparse.ArgumentParser()
        tools.add_arguments(parser)
        capfd.readouterr()
        assert tools.run(parser.parse_args([*words, "--json"])) == 0
        return [json.loads(line) for line in capfd.readouterr().out.splitlines()]

    return run


@pytest.mark.nightly
def test_requested_tool_is_generated_and_approved_and_executed(
    client: AgentClient, server: ScriptedEndpoint, command: Callable[..., list[Any]], tmp_path: Path
) -> None:
    server.answers[:] = [
        ScriptedAnswer(calls=(("transfer_to_code", {}),)),
        WRITING,
        ScriptedAnswer(calls=(("transfer_to_vision", {}),)),
        ScriptedAnswer(calls=((NAME, {"interval_s": 1.0, "duration_s": 5.0}),)),
        ScriptedAnswer("I took five photos."),
    ]
    turn = client.begin("take a photo every second for five seconds", limit=2 * PATIENCE)
    wait_until(lambda: bool(client.approvals and client.approvals[-1].approvals), "a question")
    question = client.wait_for_question()
    assert question.tool == NAME
    client.decide(question.approval_id, True)
    result = turn.result(PATIENCE)
    assert result.error_code == ErrorCode.NONE
    assert result.reply.strip().endswith("I took five photos.")
    told = json.loads(server.chats[-1]["messages"][-1]["content"].partition("\n")[2].rpartition("\n")[0])
    assert told["count"] == 5
    assert all(Path(photo).stat().st_size > 1000 for photo in told["photos"])

    (listed,) = [line for line in command("list") if line["name"] == NAME]
    assert (listed["origin"], listed["version"], listed["enabled"]) == ("generated", 1, True)
    (shown,) = command("show", NAME)
    (version,) = shown["versions"]
    assert [(one["stage"], one["ok"]) for one in version["verdicts"]] == [
        (stage, True) for stage in ("text", "syntax", "sandbox", "trial")
    ]
    assert (version["author"], version["runs"], version["successes"]) == ("model", 1, 1)
    assert version["request"] == "take a photo every second for five seconds"

    better = tmp_path / "better.py"
    better.write_text(source().replace("Takes photos", "Captures photos"))
    (made,) = command("import", str(better))
    assert made == {"name": NAME, "version": 2, "registered": False}
    assert next(line["waiting"] for line in command("list") if line["name"] == NAME)
    assert command("approve", NAME)[0]["result"] == f"Version 2 of {NAME} is active."
    assert command("diff", NAME, "1")[0]["diff"].count("photos at regular intervals") == 2
    assert command("rollback", NAME)[0]["result"] == f"Version 1 of {NAME} is active."
    command("disable", NAME)
    with pytest.raises(AgentError, match="There is no tool"):
        command("run", NAME, '{"interval_s": 1.0, "duration_s": 1.0}')
    command("enable", NAME)
    wait_until(lambda: [line["enabled"] for line in command("list") if line["name"] == NAME] == [True])


def test_tool_that_fails_validation_is_not_registered(client: AgentClient, ros: Ros) -> None:
    done = client.call_tool("write_tool", json.dumps({"source": "import os\n", "explanation": "none"})).result(PATIENCE)
    assert done.error_code == ErrorCode.VALIDATION_FAILED
    assert "line 1" in done.error_msg
    get = ServiceCaller(ros.node, GetTool, names.GET_TOOL, client.tool_server)
    assert get.call(GetTool.Request(name="no_such_tool"), PATIENCE).error_code == ErrorCode.UNKNOWN_TOOL
