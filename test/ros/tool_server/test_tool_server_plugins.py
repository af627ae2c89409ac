"""Plugin tools in the tool server, tested with a package installed by pip."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest
from reachy_agent_msgs.srv import ListTools

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from support.documented_plugin import DocumentedPlugin
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ServiceCaller
from support.nodes.tool_client import ToolClient


@pytest.fixture(scope="module")
def client(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolClient]:
    site = DocumentedPlugin().pip_install(tmp_path_factory.mktemp("plugin"))
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
    with (
        NodeProcess("hardware_bridge") as bridge,
        NodeProcess("tts") as tts,
        NodeProcess("tool_server", environment={"PYTHONPATH": path}) as server,
    ):
        for node in (bridge, tts, server):
            node.wait_ready()
        client = ToolClient(ros)
        client.wait_joined()
        yield client


def test_catalog_lists_plugin_tool_with_arguments(client: ToolClient, ros: Ros) -> None:
    listed = ServiceCaller(ros.node, ListTools, names.LIST_TOOLS, client.server).call(ListTools.Request())
    (tool,) = (tool for tool in listed.tools if tool.name == "announce_tea")
    assert tool.description == "Says how long a kind of tea has to draw."
    assert json.loads(tool.arguments_schema)["required"] == ["kind"]


def test_plugin_tool_speaks_and_returns_result(client: ToolClient) -> None:
    assert client.result("announce_tea", kind="green") == {"minutes": 2.0}


def test_caller_receives_error_of_plugin_tool(client: ToolClient) -> None:
    answer = client.run("announce_tea", '{"kind": "oolong"}')
    assert answer.error_code == ErrorCode.INVALID_ARGUMENTS
    assert answer.error_msg == "There is no tea 'oolong'."
