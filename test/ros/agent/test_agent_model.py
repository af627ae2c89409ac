"""Agent with a scripted model server over real HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from reachy_agent_msgs.action import Converse
from reachy_agent_msgs.msg import ToolCatalogue, ToolSpec
from reachy_agent_msgs.srv import ListTools

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from support.nodes.agent_client import AgentClient
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ServiceCaller
from support.waiting import PATIENCE, wait_until

HANDOFF = ScriptedAnswer(calls=(("transfer_to_robot", {}),))


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        yield server


@pytest.fixture(scope="module")
def client(ros: Ros, server: ScriptedEndpoint) -> Iterator[AgentClient]:
    parameters = {"model_endpoint": server.url, "model_name": "scripted", "robot_name": "Robbie, Robby"}
    with (
        NodeProcess("hardware_bridge") as bridge,
        NodeProcess("tool_server") as tools,
        NodeProcess("agent", parameters) as agent,
    ):
        for node in (bridge, tools, agent):
            node.wait_ready()
        client = AgentClient(ros)
        wait_until(lambda: client.agent.ready and client.bridge.ready and client.tool_server.ready)
        client.wait_for_model()
        yield client
        for node in (agent, tools, bridge):
            assert node.stop() == 0


def test_model_moves_head_with_tool_from_current_catalog(client: AgentClient, server: ScriptedEndpoint) -> None:
    server.answers[:] = [
        HANDOFF,
        ScriptedAnswer(calls=(("move_head", {"yaw_deg": 35.0}),)),
        ScriptedAnswer("I examined the sofa."),
    ]
    feedback: list[Converse.Feedback] = []
    result = client.begin("what is behind the sofa to your left?", feedback=feedback).result(PATIENCE)
    assert (result.error_code, result.agent, result.reply.strip()) == (0, "robot", "I examined the sofa.")
    assert (result.input_tokens, result.output_tokens) == (300, 30)
    wait_until(lambda: client.yaw() > 25.0)
    offered = {tool["function"]["name"] for tool in server.chats[1]["tools"]}
    assert {"move_head", "set_antennas", "take_photo", "dance"} <= offered
    assert Converse.Feedback.HANDOFF in [step.kind for step in feedback]
    assert "You are Robbie, a small robot" in server.chats[0]["messages"][0]["content"]


def test_cancel_during_model_response_ends_turn(client: AgentClient, server: ScriptedEndpoint) -> None:
    later = threading.Event()
    server.answers[:] = [ScriptedAnswer("too late", waits_for=later)]
    asked = len(server.chats)
    token = CancelToken()
    turn = client.begin("tell me a long story about the sea", cancel=token)
    wait_until(lambda: len(server.chats) > asked)
    token.cancel()
    assert turn.result(PATIENCE).error_code == ErrorCode.CANCELED
    later.set()


def test_agent_reports_model_failure_and_executes_next_command(client: AgentClient, server: ScriptedEndpoint) -> None:
    server.answers[:] = [ScriptedAnswer("out of memory", status=500)]
    failed = client.say("what do you think of the weather?")
    assert failed.error_code == ErrorCode.MODEL_FAILED
    assert failed.reply == "I could not answer, because my language model failed."
    assert "HTTP 500" in failed.error_msg
    assert client.say("look straight ahead").error_code == ErrorCode.NONE


def test_model_call_waits_for_approval(client: AgentClient, server: ScriptedEndpoint, ros: Ros) -> None:
    listed = ServiceCaller(ros.node, ListTools, names.LIST_TOOLS, client.tool_server).call(ListTools.Request())
    for tool in listed.tools:
        tool.permission = ToolSpec.CONFIRM
        tool.description = "Guarded."
    publisher = ros.node.create_publisher(ToolCatalogue, names.TOOLS, LATCHED)
    publisher.publish(ToolCatalogue(tools=listed.tools))
    wait_until(lambda: "Guarded." in str(offered_tools(client, server)))
    server.answers[:] = [
        HANDOFF,
        ScriptedAnswer(calls=(("get_robot_state", {}),)),
        ScriptedAnswer("I stand as I should."),
    ]
    turn = client.begin("examine how you stand")
    wait_until(lambda: bool(client.approvals and client.approvals[-1].approvals))
    pending = client.approvals[-1].approvals[0]
    assert pending.tool == "get_robot_state"
    assert client.decide(pending.approval_id, True).error_code == ErrorCode.NONE
    assert turn.result(PATIENCE).error_code == ErrorCode.NONE
    wait_until(lambda: not client.approvals[-1].approvals)


def offered_tools(client: AgentClient, server: ScriptedEndpoint) -> object:
    """Returns the tools in the next request to the model."""
    server.answers[:] = [HANDOFF, ScriptedAnswer("I have seen my tools.")]
    client.say("examine your tools")
    return server.chats[-1]["tools"]
