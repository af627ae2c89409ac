"""Tool server on a machine without a sandbox. Only generated tools are disabled."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from reachy_agent_msgs.srv import ListTools, RegisterTool, ValidateTool

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from support import MODULE_PATH, TEST
from support.logged_process import LoggedProcess
from support.nodes.node_process import Ros
from support.nodes.observed_calls import ServiceCaller
from support.nodes.tool_client import ToolClient
from support.tool_generation.registered_tools import program
from support.waiting import wait_until

SERVER = TEST / "support/nodes/tool_server_without_boxes.py"


@pytest.fixture(scope="module")
def client(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolClient]:
    command = [sys.executable, str(SERVER), "--ros-args", "-p", f"directory:={tmp_path_factory.mktemp('state')}"]
    environment = {**os.environ, "PYTHONPATH": MODULE_PATH}
    with LoggedProcess(command, names.TOOL_SERVER, environment):
        client = ToolClient(ros)
        wait_until(lambda: client.server.ready, "the tool server's heartbeat")
        yield client


def test_generated_tool_is_rejected_without_sandbox_and_error_states_remedy(client: ToolClient, ros: Ros) -> None:
    validate = ServiceCaller(ros.node, ValidateTool, names.VALIDATE_TOOL, client.server)
    assert validate.call(ValidateTool.Request(source=program().source)).accepted
    register = ServiceCaller(ros.node, RegisterTool, names.REGISTER_TOOL, client.server)

    def refused() -> str:
        answer = register.call(RegisterTool.Request(source=program().source))
        assert answer.error_code == ErrorCode.SANDBOX_UNAVAILABLE
        return str(answer.error_msg)

    wait_until(lambda: "being verified" not in refused(), "the probes to be over")
    assert "apt install bubblewrap" in refused()


def test_predefined_tools_work_without_sandbox(client: ToolClient, ros: Ros) -> None:
    listed = ServiceCaller(ros.node, ListTools, names.LIST_TOOLS, client.server).call(ListTools.Request())
    assert {"move_head", "write_tool"} <= {tool.name for tool in listed.tools}
    # No hardware bridge is running.
    assert client.run("move_head", '{"yaw_deg": 5}').error_code == ErrorCode.SERVER_UNAVAILABLE


def test_diagnostics_explain_missing_sandbox(client: ToolClient, ros: Ros) -> None:
    found: list[DiagnosticStatus] = []
    subscription = ros.node.create_subscription(
        DiagnosticArray, "/diagnostics", lambda message: found.extend(message.status), STANDARD
    )

    def told() -> bool:
        statuses = [one for one in found if one.name == "tool_server: sandbox" and one.level == DiagnosticStatus.WARN]
        return any("docs/concepts/sandbox.md" in value.value for one in statuses for value in one.values)

    wait_until(told, "the diagnosis")
    ros.node.destroy_subscription(subscription)
