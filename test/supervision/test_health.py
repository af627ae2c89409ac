from __future__ import annotations

import json

import pytest

from reachy_agent_ros.bringup import resolve
from reachy_agent_ros.supervision.health import (
    AgentHealth,
    GraphHealth,
    NodeHealth,
    configured_model,
)


def graph(*nodes: NodeHealth, transport: str = "loopback") -> GraphHealth:
    return GraphHealth("/reachy_mini", "0", 1, transport, resolve({}), list(nodes))


READY = NodeHealth("tts", state="ready")
OPEN = NodeHealth("tts", state="ready", open_sockets=["udp 0.0.0.0:7410"])


@pytest.mark.parametrize(
    ("health", "good"),
    [
        (graph(READY), True),
        (graph(READY, NodeHealth("stt", state="degraded")), True),
        (graph(READY, NodeHealth("stt", state="starting")), False),
        (graph(READY, NodeHealth("stt")), False),
        (graph(OPEN), False),
        (graph(OPEN, transport="network"), True),
    ],
)
def test_graph_is_healthy_if_ready_without_unexpected_open_sockets(health, good):
    assert health.good is good


def test_status_summary_shows_open_sockets():
    assert any("tts on udp 0.0.0.0:7410" in line for line in graph(OPEN).summary())


def test_status_json_contains_health_verdicts():
    stored = json.loads(graph(OPEN).as_json())
    assert stored["ready"] is True
    assert stored["closed"] is False
    assert stored["nodes"][0]["name"] == "tts"


def test_status_summary_shows_agent_status():
    health = graph(READY)
    health.mind = AgentHealth("waiting_for_approval", "asks a person about dance", "reachy", "default", 2)
    line = "Agent: waiting for approval (asks a person about dance), 2 turns waiting. Persona: reachy. Conversation: "
    assert health.summary()[-1] == line + "default."
    assert json.loads(health.as_json())["mind"]["state"] == "waiting_for_approval"


def test_status_summary_begins_with_latched_emergency_stop():
    health = graph(READY)
    assert not any("EMERGENCY STOP" in line for line in health.summary())
    health.emergency_stop = "requested by a person"
    stop = "EMERGENCY STOP (requested by a person): the robot does not move."
    assert health.summary()[0] == f"{stop} Let it move again: reachy-agent stop --reset"
    assert json.loads(health.as_json())["emergency_stop"] == "requested by a person"


DEGRADED = NodeHealth("camera", state="degraded", detail="No camera configured.")


def test_status_summary_names_degraded_nodes():
    assert graph(READY).summary()[0] == "1 of 1 nodes ready in /reachy_mini, ROS domain 0."
    expected = "2 of 3 nodes run in /reachy_mini, ROS domain 0, 1 degraded: camera."
    assert graph(READY, DEGRADED, NodeHealth("stt")).summary()[0] == expected


def test_status_summary_suggests_command_to_diagnose_nodes_that_are_not_ready():
    summary = graph(READY, NodeHealth("stt"), NodeHealth("tts", state="starting")).summary()
    assert summary[1:3] == ["Not ready yet: stt, tts.", "Find out why: reachy-agent logs stt"]
    assert not any(line.startswith("Not ready") for line in graph(READY, DEGRADED).summary())


def test_status_summary_blames_node_that_ended_rather_than_slow_node():
    ended = NodeHealth("tool_server", restarts=3, last_end="ended with code 1: Cannot start.")
    health = graph(NodeHealth("tts", state="starting"), ended)
    assert health.summary()[1:5] == [
        "tool_server ended with code 1: Cannot start. Restarts: 3.",
        "The graph stays up and keeps restarting nodes that end.",
        "Not ready yet: tts.",
        "Find out why: reachy-agent logs tool_server",
    ]
    health.supervisor = 0
    assert not any("keeps restarting" in line for line in health.summary())


def test_status_json_names_degraded_nodes():
    assert json.loads(graph(READY, DEGRADED).as_json())["degraded"] == ["camera"]


def test_status_summary_shows_console_address_of_running_gateway():
    gateway = NodeHealth("gateway", state="ready", detail="http://127.0.0.1:40123")
    assert "Console: http://127.0.0.1:40123" in graph(gateway).summary()
    assert not any(line.startswith("Console") for line in graph(NodeHealth("gateway")).summary())


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "none, commands only"),
        ({"model_endpoint": "http://127.0.0.1:8081/v1"}, "http://127.0.0.1:8081/v1"),
        ({"agent.model_endpoint": "http://127.0.0.1:8081/v1"}, "http://127.0.0.1:8081/v1"),
    ],
)
def test_status_shows_endpoint_of_configured_model(given, expected):
    assert configured_model(resolve(given)) == expected


def test_status_shows_file_of_configured_models(tmp_path):
    (tmp_path / "models.yaml").touch()
    assert configured_model(resolve({"state_directory": str(tmp_path)})) == "models.yaml"


def test_status_of_graph_of_other_user_reports_unknown_network_access():
    foreign = graph(NodeHealth("tts", state="ready", open_sockets=None))
    assert (foreign.closed, foreign.good) == (None, True)
    assert any("belong to another user" in line for line in foreign.summary())
    assert json.loads(foreign.as_json())["closed"] is None
