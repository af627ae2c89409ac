import json

import pytest

from reachy_agent_ros.supervision.health import GraphHealth, MindHealth, NodeHealth


def graph(*nodes: NodeHealth, transport: str = "loopback") -> GraphHealth:
    return GraphHealth("/reachy_mini", "0", 1, transport, {"robot": "mujoco", "model_endpoint": ""}, list(nodes))


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
def test_a_graph_is_good_when_all_is_ready_and_as_closed_as_asked_for(health, good):
    assert health.good is good


def test_an_open_graph_says_which_node_listens_where():
    assert any("tts on udp 0.0.0.0:7410" in line for line in graph(OPEN).summary())


def test_json_carries_the_verdicts():
    stored = json.loads(graph(OPEN).as_json())
    assert stored["ready"] is True
    assert stored["closed"] is False
    assert stored["nodes"][0]["name"] == "tts"


def test_what_the_agent_does_is_told_in_a_line():
    health = graph(READY)
    health.mind = MindHealth("waiting_for_approval", "asks a person about dance", "reachy", "default", 2)
    line = "Agent: waiting for approval (asks a person about dance), 2 turns wait. It is reachy, in the conversation "
    assert health.summary()[-1] == line + "default."
    assert json.loads(health.as_json())["mind"]["state"] == "waiting_for_approval"
