"""A graph without its robot, camera and language model starts, and says what is missing and how to fix it."""

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


def test_start_of_degraded_graph_names_each_reason_and_fix(graph: StartedGraph) -> None:
    assert graph.started.returncode == EXIT_DEGRADED, graph.started.stdout + graph.started.stderr
    told = graph.started.stdout
    assert told.index("camera will be degraded: ") < told.index("4 of 4 nodes run in /reachy_mini")
    assert "3 degraded: hardware_bridge, camera, agent." in told
    assert "camera_device:=/dev/video0" in told
    assert "The language model's server at http://127.0.0.1:9/v1 does not respond" in told
    assert "set daemon_url" in told
    assert "Agent: degraded" in told


def test_status_of_degraded_graph_is_distinguished_from_success_and_failure(graph: StartedGraph) -> None:
    status = graph.command("status", "--json")
    assert status.returncode == EXIT_DEGRADED
    assert json.loads(status.stdout)["degraded"] == ["hardware_bridge", "camera", "agent"]


def test_model_command_examines_model_of_running_graph(graph: StartedGraph) -> None:
    shown = graph.command("model")
    assert shown.returncode == 1
    assert shown.stdout.startswith("quick: a model at http://127.0.0.1:9/v1 is not usable.")


def test_second_graph_in_another_namespace_needs_its_own_state(graph: StartedGraph) -> None:
    refused = graph.command("up", "nodes:=camera", "namespace:=/second")
    assert refused.returncode == 3
    assert str(graph.status()["supervisor"]) in refused.stderr
