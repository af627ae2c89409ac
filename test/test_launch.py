"""Tests that the launch file starts the same graph as `reachy-agent up`. Requires ROS 2 launch."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.ros.client.observer import observe
from reachy_agent_ros.settings.arguments import declared_arguments
from reachy_agent_ros.supervision.health import NodeHealth
from support.nodes.node_process import isolate
from support.waiting import wait_until

launch = pytest.importorskip("launch", reason="ROS 2 launch is not installed")
pytest.importorskip("launch_ros", reason="ROS 2 launch is not installed")

FILE = Path(__file__).parents[1] / "launch" / "bringup.launch.py"

LAUNCH = """
import sys, launch
from launch.launch_description_sources import PythonLaunchDescriptionSource
service = launch.LaunchService()
arguments = [argument.split(":=") for argument in sys.argv[2:]]
service.include_launch_description(
    launch.actions.IncludeLaunchDescription(PythonLaunchDescriptionSource(sys.argv[1]), launch_arguments=arguments))
sys.exit(service.run())
"""


def test_launch_file_declares_all_arguments_of_bringup():
    specification = importlib.util.spec_from_file_location("bringup_launch", FILE)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    declared = module.generate_launch_description().get_launch_arguments()
    assert [argument.name for argument in declared] == [argument.name for argument in declared_arguments()]


@pytest.fixture(scope="module")
def launched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[bytes]]:
    isolate(tmp_path_factory.mktemp("launch"))
    command = [sys.executable, "-c", LAUNCH, str(FILE), "nodes:=hardware_bridge,tool_server", "scene:=empty"]
    process = subprocess.Popen(command)
    yield process
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        process.wait(30.0)


def nodes() -> dict[str, NodeHealth]:
    """Returns the health of all nodes that are visible in the graph, by node name."""
    try:
        return {node.name: node for node in observe(NAMESPACE, timeout=3.0, until_ready=False).nodes}
    except AgentError:  # no node is visible yet
        return {}


@pytest.mark.graph
def test_launched_nodes_become_ready_and_open_no_external_sockets(launched):
    wait_until(lambda: len(nodes()) == 2 and all(node.ready for node in nodes().values()), "ready nodes")
    assert not any(node.open_sockets for node in nodes().values())


@pytest.mark.graph
def test_launch_restarts_killed_node(launched):
    pid = nodes()["tool_server"].pid
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: "tool_server" in nodes() and nodes()["tool_server"].pid != pid, "the node to be restarted")


@pytest.mark.graph
def test_launch_exits_with_code_0_after_sigint(launched):
    launched.send_signal(signal.SIGINT)
    assert launched.wait(30.0) == 0
