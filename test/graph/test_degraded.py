"""Degraded start of a graph without robot, camera and language model.

The graph reports each problem and its fix.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from reachy_agent_ros.cli.cli import EXIT_DEGRADED
from support.nodes.started_graph import StartedGraph

pytestmark = pytest.mark.graph

NODES = "hardware_bridge,camera,tool_server,agent"
SETTINGS = (f"nodes:={NODES}", "robot:=daemon", "daemon_url:=http://127.0.0.1:9")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartedGraph]:
    endpoint = "model_endpoint:=http://127.0.0.1:9/v1"
    running = StartedGraph(tmp_path_factory.mktemp("degraded"), *SETTINGS, endpoint)
    yield running
    running.close()


def test_up_reports_reason_and_fix_for_each_degraded_node(graph: StartedGraph) -> None:
    assert graph.started.returncode == EXIT_DEGRADED, graph.started.stdout + graph.started.stderr
    told = graph.started.stdout
    assert told.index("camera will be degraded: ") < told.index("4 of 4 nodes run in /reachy_mini")
    assert "3 degraded: hardware_bridge, camera, agent." in told
    assert "camera_device:=/dev/video0" in told
    assert "The language model's server at http://127.0.0.1:9/v1 does not respond" in told
    assert "set daemon_url" in told
    assert "Agent: degraded" in told


def test_status_of_degraded_graph_has_its_own_exit_code(graph: StartedGraph) -> None:
    status = graph.command("status", "--json")
    assert status.returncode == EXIT_DEGRADED
    assert json.loads(status.stdout)["degraded"] == ["hardware_bridge", "camera", "agent"]


def test_model_command_checks_model_of_running_graph(graph: StartedGraph) -> None:
    shown = graph.command("model")
    assert shown.returncode == 1
    assert shown.stdout.startswith("quick: a model at http://127.0.0.1:9/v1 is not usable.")


def test_up_rejects_second_graph_with_same_state_directory(graph: StartedGraph) -> None:
    refused = graph.command("up", "nodes:=camera", "namespace:=/second")
    assert refused.returncode == 3
    assert str(graph.status()["supervisor"]) in refused.stderr
