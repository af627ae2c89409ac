"""Approvals, plans and permissions of the running agent node with custom permission rules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from diagnostic_msgs.msg import DiagnosticStatus
from reachy_agent_msgs.action import Converse, ExecuteTool
from reachy_agent_msgs.msg import AgentState, Plan, Principal
from reachy_agent_msgs.srv import (
    AddGrant,
    BranchSession,
    DecideApproval,
    ListPersonas,
    ListSessions,
    ResumeSession,
    RevokeGrant,
    SetPersona,
    SetPlanReview,
)
from std_msgs.msg import String
from std_srvs.srv import Trigger

from reachy_agent_ros.agent.permissions.principal import UNKNOWN, client_stream
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from support.cases import mostly_nightly
from support.domains import Purpose, domain
from support.nodes.agent_client import MODEL_LIMIT, AgentClient
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until

RULES = """
extends: standard
rules:
  - {tools: move_head, when: {yaw_deg: {above: 40.0}}, tier: confirm, because: it is a wide turn}
  - {tools: dence, tier: forbidden}
"""
FILES = {
    "permissions.yaml": RULES,
    "mcp.yaml": "servers: {far: {command: /no/such/program}}",
    "persona": "nobody",
    "memory.db": "This is no database. " * 100,
}
WIDE = '{"yaw_deg": 45.0}'


@pytest.fixture(scope="module")
def client(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentClient]:
    directory = tmp_path_factory.mktemp("mind")
    for name, text in FILES.items():
        (directory / name).write_text(text)
    client = AgentClient(ros)
    with (
        NodeProcess("agent", {"directory": str(directory), "approval_time": PATIENCE}) as agent,
        NodeProcess("hardware_bridge") as bridge,
    ):
        assert client.wait_for_state(AgentState.INITIALIZING).detail == "waiting for tools"
        with NodeProcess("tool_server") as tools:
            for node in (bridge, tools, agent):
                node.wait_ready()
            client.wait_for_state(AgentState.READY)
            wait_until(lambda: client.agent.ready and client.bridge.ready)
            yield client
            assert agent.stop() == 0
            client.wait_for_state(AgentState.SHUTDOWN)


def test_diagnostics_report_each_damaged_file(client: AgentClient) -> None:
    told = client.statuses
    for concern, words, limit in (
        ("memory", "The memory file was damaged", PATIENCE),
        ("persona", "is active instead of the chosen one", PATIENCE),
        ("permissions", "There is no tool 'dence'. Did you mean dance?", PATIENCE),
        ("mcp", "The MCP server far is not connected", MODEL_LIMIT),  # the MCP client is loaded with the Agents SDK
    ):
        wait_until(lambda of=concern, words=words: of in told and words in told[of].message, words, timeout=limit)
        assert told[concern].level == DiagnosticStatus.WARN


def test_agent_state_shows_activity_and_pending_approval(client: AgentClient) -> None:
    moving = client.begin("look 60 degrees left over ten seconds")
    question = client.wait_for_question()
    waiting = client.wait_for_state(AgentState.WAITING_FOR_APPROVAL)
    assert (waiting.detail, waiting.turn_id) == (f"asks: {question.question}", question.turn_id)
    assert question.question == "May I turn my head 60 degrees to the left in 10 seconds?"
    assert question.reason == "It is a wide turn."
    assert client.decide(question.approval_id, True).error_code == ErrorCode.NONE
    wait_until(lambda: client.yaw() > 2.0, "the head to begin")
    assert client.wait_for_state(AgentState.PROCESSING).turn_id == question.turn_id
    client.say("stop")
    assert moving.result(PATIENCE).error_code == ErrorCode.CANCELED
    client.wait_for_state(AgentState.READY)
    assert client.decide(question.approval_id, True).error_code == ErrorCode.INVALID_GOAL


def test_caller_of_tool_receives_approval_question_as_feedback(client: AgentClient) -> None:
    feedback: list[ExecuteTool.Feedback] = []
    calling = client.call_tool("move_head", '{"yaw_deg": 60}', feedback=feedback)
    client.decide(client.wait_for_question().approval_id, False)
    assert calling.result(PATIENCE).error_code == ErrorCode.APPROVAL_DENIED
    assert [one.status for one in feedback] == [
        "waits for a person's approval: May I turn my head 60 degrees to the left? It is a wide turn. "
        "To approve it: reachy-agent approvals yes"
    ]


def test_spoken_command_that_requires_approval_waits_until_end_of_turn(client: AgentClient) -> None:
    client.say("look straight ahead")
    utterance = client.hear("Reachy, look 60 degrees left.", is_final=False)
    client.ask(ListSessions, names.LIST_SESSIONS)
    assert not client.approvals[-1].approvals
    client.hear("Reachy, look 60 degrees left.", utterance)
    question = client.wait_for_question()
    assert question.turn_id == utterance
    client.decide(question.approval_id, False)
    assert client.reply_to(utterance).error_code == ErrorCode.APPROVAL_DENIED
    assert client.yaw() < 5.0


def test_call_tool_action_runs_tools_and_reports_errors(client: AgentClient) -> None:
    free = client.call_tool("current_time").result(PATIENCE)
    assert free.error_code == ErrorCode.NONE
    assert json.loads(free.result_json)
    assert client.call_tool("fly").result(PATIENCE).error_code == ErrorCode.UNKNOWN_TOOL
    for arguments in ('{"yaw_deg": ', '{"yaw_deg": "far"}', "[]", '{"wings": 2}'):
        refused = client.call_tool("move_head", arguments).result(PATIENCE)
        assert (refused.error_code, refused.result_json) == (ErrorCode.INVALID_ARGUMENTS, "{}"), arguments


def test_tool_call_waits_for_approval(client: AgentClient) -> None:
    for approve, code in ((False, ErrorCode.APPROVAL_DENIED), (True, ErrorCode.NONE)):
        client.say("look straight ahead")
        call = client.call_tool("move_head", WIDE)
        question = client.wait_for_question()
        assert (question.requester, question.session_id) == ("somebody else", "calls of somebody else")
        client.decide(question.approval_id, approve)
        assert call.result(PATIENCE).error_code == code
        assert (client.yaw() > 30.0) is approve
        wait_until(lambda: not client.approvals[-1].approvals)


def test_gateway_speech_cannot_approve_request_of_same_token(client: AgentClient) -> None:
    client.say("look straight ahead")
    phone = Principal(name="token:phone#1f0c92ab", authenticated=True)
    turn = client.begin("look 60 degrees left", source=Converse.Goal.REMOTE, asked_by=phone)
    question = client.wait_for_question()
    assert question.asked_by == phone.name
    utterance = client.hear("Reachy, yes.", source=f"principal:FOR_OTHERS:{phone.name}:client:1")
    assert client.reply_to(utterance).error_code == ErrorCode.DECISION_NOT_ALLOWED
    assert client.wait_for_question() == question
    utterance = client.hear("Reachy, no.", source="microphone")
    assert client.reply_to(utterance).error_code == ErrorCode.NONE
    assert turn.result(PATIENCE).error_code == ErrorCode.APPROVAL_DENIED
    wait_until(lambda: client.approvals[-1].decided, "the answer")
    (decision, *_) = client.approvals[-1].decided
    assert (decision.approved, decision.asked_by) == (False, phone.name)
    assert decision.decided_by == "speech in the conversation 'default'"


def test_approval_by_service_is_recorded_as_unverified(client: AgentClient) -> None:
    call = client.call_tool("move_head", WIDE)
    question = client.wait_for_question()
    answer = {"approval_id": question.approval_id, "approve": False}
    wrong = client.ask(DecideApproval, names.DECIDE_APPROVAL, **answer, decided_by=Principal(decides=9))
    assert (wrong.error_code, wrong.error_msg) == (
        ErrorCode.INVALID_ARGUMENTS,
        "Invalid Principal.decides 9: expected 0 to 2.",
    )
    client.ask(DecideApproval, names.DECIDE_APPROVAL, **answer, decided_by=Principal(name="night watch"))
    assert call.result(PATIENCE).error_code == ErrorCode.APPROVAL_DENIED
    wait_until(lambda: client.approvals[-1].decided[0].approval_id == question.approval_id)
    assert client.approvals[-1].decided[0].decided_by == "service: night watch"


def test_cancelled_call_withdraws_approval_request(client: AgentClient) -> None:
    token = CancelToken()
    call = client.call_tool("move_head", WIDE, token)
    question = client.wait_for_question()
    token.cancel()
    assert call.result(PATIENCE).error_code == ErrorCode.CANCELED
    wait_until(lambda: not client.approvals[-1].approvals)
    assert client.decide(question.approval_id, True).error_code == ErrorCode.INVALID_GOAL


def test_emergency_stop_withdraws_pending_calls(client: AgentClient) -> None:
    client.say("look straight ahead")
    call = client.call_tool("move_head", WIDE)
    question = client.wait_for_question()
    assert client.ask(Trigger, names.EMERGENCY_STOP).success
    ended = call.result(PATIENCE)
    assert (ended.error_code, ended.error_msg) == (
        ErrorCode.CANCELED,
        "The robot was stopped, which ended this call.",
    )
    wait_until(lambda: not client.approvals[-1].approvals, "the question to be withdrawn")
    assert client.ask(Trigger, names.RESET_EMERGENCY_STOP).success
    late = client.decide(question.approval_id, True)
    assert late.error_code == ErrorCode.INVALID_GOAL
    assert "was withdrawn, so the answer has no effect" in late.error_msg
    assert client.yaw() < 5.0


@pytest.mark.parametrize("how", ["typed", "spoken", "tool", "hold"])
def test_stop_withdraws_pending_calls(client: AgentClient, how: str) -> None:
    client.say("look straight ahead")
    call = client.call_tool("move_head", WIDE)
    question = client.wait_for_question()
    if how == "typed":
        assert client.say("stop").reply == "I stopped."
    elif how == "spoken":
        assert client.reply_to(client.hear("Stop!")).text == "I stopped."
    elif how == "hold":
        assert client.ask(Trigger, names.HOLD).success
    else:
        assert client.call_tool("stop").result(PATIENCE).error_code == ErrorCode.NONE
    assert call.result(PATIENCE).error_code == ErrorCode.CANCELED
    wait_until(lambda: not client.approvals[-1].approvals, "the question to be withdrawn")
    late = client.decide(question.approval_id, True)
    assert late.error_code == ErrorCode.INVALID_GOAL
    assert "was withdrawn, so the answer has no effect" in late.error_msg
    assert client.yaw() < 5.0


def test_turn_continues_after_stop_requested_by_same_turn(client: AgentClient) -> None:
    result = client.say("stop, then look 30 degrees left")
    assert (result.error_code, result.reply) == (ErrorCode.NONE, "I stopped. I looked to the left.")
    client.say("look straight ahead")


def test_end_motion_service_does_not_withdraw_pending_call(client: AgentClient) -> None:
    call = client.call_tool("move_head", WIDE)
    question = client.wait_for_question()
    assert client.ask(Trigger, names.END_MOTION).success
    assert client.decide(question.approval_id, True).error_code == ErrorCode.NONE
    assert call.result(PATIENCE).error_code == ErrorCode.NONE


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/tools/execute", {"tool_name": "move_head", "parameters": {"yaw_deg": 45.0}}),
        pytest.param("/chat", {"message": "look 60 degrees left"}, marks=pytest.mark.nightly),
    ],
)
def test_withdraws_http_request_when_gateway_is_killed(
    client: AgentClient, ros: Ros, path: str, body: dict[str, Any]
) -> None:
    client.say("look straight ahead")
    watch = HeartbeatMonitor(ros.node, names.GATEWAY)
    with NodeProcess("gateway", {"port": 0}) as gateway, ThreadPoolExecutor(1) as pool:
        gateway.wait_ready()
        wait_until(lambda: watch.last is not None and watch.last.pid == gateway.process.pid)
        assert watch.last is not None
        pool.submit(httpx.post, f"{watch.last.detail}/api/v1{path}", json=body, timeout=PATIENCE)
        question = client.wait_for_question()
        gateway.process.kill()
        gateway.process.wait()
    wait_until(lambda: not client.approvals[-1].approvals, "the question to be withdrawn")
    assert "was withdrawn, so the answer has no effect" in client.decide(question.approval_id, True).error_msg
    assert client.yaw() < 5.0


def test_withdraws_turn_when_client_process_is_killed(client: AgentClient) -> None:
    client.say("look straight ahead")
    command = [sys.executable, "-m", "reachy_agent_ros.cli.cli", "ask", "look 60 degrees left"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as asking:
        question = client.wait_for_question()
        asking.kill()
    wait_until(lambda: not client.approvals[-1].approvals, "the question to be withdrawn")
    assert "was withdrawn, so the answer has no effect" in client.decide(question.approval_id, True).error_msg
    assert client.yaw() < 5.0


@pytest.mark.parametrize("how", mostly_nightly(["loses the gateway", "hangs up"]))
def test_withdraws_spoken_request_when_client_disconnects(client: AgentClient, ros: Ros, how: str) -> None:
    client.say("look straight ahead")
    left = ros.node.create_publisher(String, names.VOICE_LEFT, STANDARD)
    watch = HeartbeatMonitor(ros.node, names.GATEWAY)
    with NodeProcess("gateway", {"port": 0}) as gateway:
        gateway.wait_ready()
        wait_until(lambda: watch.last is not None and watch.last.pid == gateway.process.pid)
        assert watch.last is not None
        asked = {"tool_name": "get_robot_state", "parameters": {}}  # ensures that the agent has discovered the gateway
        assert httpx.post(f"{watch.last.detail}/api/v1/tools/execute", json=asked, timeout=PATIENCE).is_success
        wait_until(lambda: left.get_subscription_count() > 0, "the agent to listen")
        client.hear("Reachy, look 60 degrees left.", source=client_stream(UNKNOWN, how, "1"))
        question = client.wait_for_question()
        if how == "hangs up":
            left.publish(String(data=how))
        else:
            gateway.process.kill()
            gateway.process.wait()
        wait_until(lambda: not client.approvals[-1].approvals, "the question to be withdrawn")
    assert "was withdrawn, so the answer has no effect" in client.decide(question.approval_id, True).error_msg
    assert client.yaw() < 5.0
    ros.node.destroy_publisher(left)


def test_withdraws_spoken_request_without_gateway_heartbeat(client: AgentClient) -> None:
    client.say("look straight ahead")
    client.hear("Reachy, look 60 degrees left.", source=client_stream(UNKNOWN, "unheard", "1"))
    question = client.wait_for_question()
    wait_until(lambda: not client.approvals[-1].approvals, "the question to be withdrawn")
    assert "was withdrawn, so the answer has no effect" in client.decide(question.approval_id, True).error_msg
    assert client.yaw() < 5.0


def test_stop_tool_cancels_running_and_queued_turns(client: AgentClient) -> None:
    client.say("look straight ahead")
    moving = client.begin("look 35 degrees left over ten seconds")
    wait_until(lambda: client.yaw() > 2.0, "the head to begin")
    feedback: list[Converse.Feedback] = []
    queued = client.begin("look right", feedback=feedback)
    wait_until(lambda: bool(feedback), "the second turn to be queued")
    assert (feedback[0].kind, feedback[0].name) == (Converse.Feedback.WAITING, "queue")
    assert client.call_tool("stop").result(PATIENCE).error_code == ErrorCode.NONE
    for turn in (moving, queued):
        assert turn.result(PATIENCE).error_code == ErrorCode.CANCELED


def test_grant_is_valid_until_used_up_or_revoked(client: AgentClient) -> None:
    assert client.ask(AddGrant, names.ADD_GRANT).error_code == ErrorCode.INVALID_ARGUMENTS
    unknown = uuid_message(uuid.uuid4())
    assert client.ask(RevokeGrant, names.REVOKE_GRANT, grant_id=unknown).error_code == ErrorCode.NOT_FOUND
    granted = client.ask(AddGrant, names.ADD_GRANT, tools=["move_*"], uses=1, given_by=Principal(name="Ada"))
    wait_until(lambda: bool(client.grants[-1].grants))
    (shown,) = client.grants[-1].grants
    assert (shown.grant_id, shown.uses, shown.given_by) == (granted.grant_id, 1, "service: Ada")
    assert client.call_tool("move_head", WIDE).result(PATIENCE).error_code == ErrorCode.NONE
    wait_until(lambda: not client.grants[-1].grants)
    other = client.ask(AddGrant, names.ADD_GRANT, tools=["dance"])
    wait_until(lambda: bool(client.grants[-1].grants))
    assert client.ask(RevokeGrant, names.REVOKE_GRANT, grant_id=other.grant_id).error_code == ErrorCode.NONE
    wait_until(lambda: not client.grants[-1].grants)


def test_agent_publishes_plan_and_changes_plan_review(client: AgentClient) -> None:
    assert client.ask(SetPlanReview, names.SET_PLAN_REVIEW, review=9).error_code == ErrorCode.INVALID_ARGUMENTS
    client.ask(SetPlanReview, names.SET_PLAN_REVIEW, review=Plan.APPROVE_PLAN)
    wait_until(lambda: client.plans[-1].review == Plan.APPROVE_PLAN)
    steps = [{"title": "look left", "expectation": "the head is turned"}]
    call = client.call_tool("make_plan", json.dumps({"goal": "show the room", "steps": steps}))
    client.decide(client.wait_for_question().approval_id, True)
    assert call.result(PATIENCE).error_code == ErrorCode.NONE
    wait_until(lambda: client.plans[-1].goal == "show the room")
    (step,) = client.plans[-1].steps
    assert (step.number, step.title, step.state) == ("1", "look left", 0)
    client.ask(SetPlanReview, names.SET_PLAN_REVIEW, review=Plan.ACT)
    wait_until(lambda: client.plans[-1].review == Plan.ACT)


def test_agent_switches_persona(client: AgentClient) -> None:
    assert client.ask(SetPersona, names.SET_PERSONA, name="nobody").error_code == ErrorCode.NOT_FOUND
    for name in ("companion", "reachy"):
        assert client.ask(SetPersona, names.SET_PERSONA, name=name).error_code == ErrorCode.NONE
        wait_until(lambda name=name: client.states[-1].persona == name)
        listed = client.ask(ListPersonas, names.LIST_PERSONAS).personas
        assert [persona.name for persona in listed if persona.active] == [name]


def test_agent_resumes_and_branches_conversation(client: AgentClient) -> None:
    assert client.ask(ResumeSession, names.RESUME_SESSION).error_code == ErrorCode.INVALID_ARGUMENTS
    assert client.ask(ResumeSession, names.RESUME_SESSION, session_id="kitchen").error_code == ErrorCode.NONE
    wait_until(lambda: client.states[-1].session_id == "kitchen")
    assert client.reply_to(client.hear("Reachy, look straight ahead.")).error_code == ErrorCode.NONE
    copied = {"session_id": "kitchen", "branch_id": "copy"}
    assert client.ask(BranchSession, names.BRANCH_SESSION, **copied).error_code == ErrorCode.NONE
    assert client.ask(BranchSession, names.BRANCH_SESSION, **copied).error_code != ErrorCode.NONE
    answer = client.ask(ListSessions, names.LIST_SESSIONS)
    assert answer.current == "kitchen"
    assert {"kitchen": "", "copy": "kitchen"}.items() <= {
        one.session_id: one.branched_from for one in answer.sessions
    }.items()
    copied["session_id"] = "nowhere"
    assert client.ask(BranchSession, names.BRANCH_SESSION, **copied).error_code != ErrorCode.NONE


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("permissions.yaml", "rules: 1"),
        pytest.param("models.yaml", "fast: thinking", marks=pytest.mark.nightly),
        pytest.param("mcp.yaml", "servers: {far: {}}", marks=pytest.mark.nightly),
    ],
)
def test_agent_with_invalid_configuration_file_does_not_start(ros: Ros, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "reachy_agent_ros.ros.agent.agent", "--ros-args", "-p", f"directory:={tmp_path}"]
    # A separate domain, because the running agent has the same node name.
    environment = {**os.environ, "ROS_DOMAIN_ID": domain(Purpose.AGENT)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60.0)
    assert ended.returncode == 1
    assert ended.stderr.startswith("Cannot start: ")
    assert str(tmp_path / name) in ended.stderr
