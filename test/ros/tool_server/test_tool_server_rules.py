"""Enforcement of permissions.yaml by the tool server, for every action and every caller."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from reachy_agent_msgs.action import Dance, RotateBody

from reachy_agent_ros.agent.permissions.approval_store import FILE_NAME, ApprovalOutcome, ApprovalStore
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from support.domains import Purpose, domain
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.tool_client import ToolClient

RULES = """
default: autonomous
rules:
  - {tools: dance, tier: forbidden}
  - {tools: "stop*", tier: forbidden}
  - {tools: move_head, when: {yaw_deg: {above: 20.0}}, tier: confirm, because: it is a wide turn}
  - {tools: rotate_body, tier: confirm}
"""
WIDE = json.dumps({"yaw_deg": 30.0})


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("state")
    (directory / "permissions.yaml").write_text(RULES)
    return directory


@pytest.fixture(scope="module")
def server(ros: Ros, directory: Path) -> Iterator[NodeProcess]:
    with NodeProcess("tool_server", {"directory": str(directory)}) as server:
        yield server


@pytest.fixture(scope="module")
def client(ros: Ros, server: NodeProcess) -> Iterator[ToolClient]:
    with NodeProcess("hardware_bridge"):
        client = ToolClient(ros)
        client.wait_joined()
        yield client


def approval(directory: Path, tool: str, arguments_json: str) -> uuid.UUID:
    """Stores an approved request, as the agent does after a yes. Returns the id of the approval."""
    now = time.time()
    pending = PendingApproval(tool, arguments_json, uuid.uuid4(), "robot", now, now + 60.0)
    store = ApprovalStore(directory / FILE_NAME)
    store.add(pending, ApprovalOutcome.APPROVED)
    store.close()
    return pending.approval_id


def test_forbidden_tool_does_not_run_even_with_approval(client: ToolClient, directory: Path) -> None:
    arguments = json.dumps({"dance": "simple_nod"})
    for given in ({}, {"approval_id": approval(directory, "dance", arguments)}):
        answer = client.run("dance", arguments, **given)
        assert answer.error_code == ErrorCode.APPROVAL_DENIED
        assert answer.error_msg == "dance is forbidden: the rule is 'dance: forbidden'."


def test_typed_action_of_forbidden_tool_does_not_run(client: ToolClient) -> None:
    answer = client.act(Dance, names.DANCE, Dance.Goal(dance="simple_nod"))
    assert answer.error_code == ErrorCode.APPROVAL_DENIED


def test_tool_with_confirmation_rule_requires_approval_for_each_call(client: ToolClient, directory: Path) -> None:
    answer = client.run("move_head", WIDE)
    assert answer.error_code == ErrorCode.APPROVAL_REQUIRED
    assert "it is a wide turn" in answer.error_msg
    assert abs(client.yaw()) < 4.0
    yes = approval(directory, "move_head", WIDE)
    assert client.run("move_head", WIDE, approval_id=yes).error_code == ErrorCode.NONE
    assert client.run("move_head", WIDE, approval_id=yes).error_code == ErrorCode.APPROVAL_REQUIRED
    assert client.run("move_head", json.dumps({"yaw_deg": 10.0})).error_code == ErrorCode.NONE


def test_typed_action_with_confirmation_rule_is_rejected(client: ToolClient) -> None:
    answer = client.act(RotateBody, names.ROTATE_BODY, RotateBody.Goal(yaw=0.5))
    assert answer.error_code == ErrorCode.APPROVAL_REQUIRED
    assert "call_tool" in answer.error_msg


def test_stop_tool_runs_despite_any_permission_rule(client: ToolClient) -> None:
    assert client.run("stop").error_code == ErrorCode.NONE


def test_audit_log_names_caller_of_every_call(client: ToolClient, server: NodeProcess) -> None:
    client.run("get_robot_state", caller="a script\nforged line")
    client.run("dance", json.dumps({"dance": "simple_nod"}), caller="another script")
    lines = server.process.output.splitlines()
    assert any("'get_robot_state', caller 'a script\\nforged line'" in line for line in lines)
    (begin,) = (line for line in lines if "'dance', caller 'another script'" in line)
    goal = begin.split("execute_tool ")[1].split(":")[0]
    assert any(f"execute_tool {goal}: APPROVAL_DENIED" in line for line in lines)


def test_tool_server_rejects_invalid_rules_file(tmp_path: Path) -> None:
    (tmp_path / "permissions.yaml").write_text("rules: 1")
    command = [
        sys.executable,
        "-m",
        "reachy_agent_ros.ros.tool_server.tool_server",
        "--ros-args",
        "-p",
        f"directory:={tmp_path}",
    ]
    # A separate graph, because this one has a node of the same name.
    environment = {**os.environ, "ROS_DOMAIN_ID": domain(Purpose.AGENT)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60.0)
    assert ended.returncode == 1
    assert ended.stderr.startswith("Cannot start: ")
    assert str(tmp_path / "permissions.yaml") in ended.stderr
