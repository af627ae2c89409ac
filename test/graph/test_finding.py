"""Search of the simulated robot for an object outside its camera view, at the request of a user."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import numpy as np
import pytest
from reachy_agent_msgs.msg import SceneObjects
from reachy_agent_msgs.srv import GetRobotState

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR
from reachy_agent_ros.vision.eye import camera_pose
from support.nodes.observed_calls import ServiceCaller
from support.nodes.started_graph import StartedGraph
from support.waiting import wait_until

pytestmark = pytest.mark.graph

MIDDLE_OF_DUCK = 0.055
"""Height of the center of the duck above its origin, m."""


BEHIND = (-0.12, 0.28)
"""Position of the duck, m: 113 degrees to the left of the initial viewing direction, and 30 degrees below it."""

NODES = "hardware_bridge,camera,vision,tool_server,agent"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartedGraph]:
    duck = f"objects:=duck:{BEHIND[0]}:{BEHIND[1]}"
    running = StartedGraph(tmp_path_factory.mktemp("finding"), duck, f"nodes:={NODES}")
    yield running
    running.close()


@pytest.fixture(scope="module")
def client(graph: StartedGraph) -> Iterator[GraphClient]:
    with graph.joined(), GraphClient("test", names.NAMESPACE) as client:
        yield client


def degrees_from_duck(client: GraphClient) -> float:
    """Returns the angle (degrees) between the measured camera axis and the direction to the duck."""
    objects: list[SceneObjects] = []
    subscription = client.node.create_subscription(SceneObjects, names.SCENE_OBJECTS, objects.append, SENSOR)
    wait_until(lambda: bool(objects), "the ground truth of the scene")
    client.node.destroy_subscription(subscription)
    duck = transform_from_pose(objects[0].poses[objects[0].names.index("duck")])[:3, 3]
    bridge = client.watch(names.HARDWARE_BRIDGE)
    state = ServiceCaller(client.node, GetRobotState, names.GET_ROBOT_STATE, bridge).call(GetRobotState.Request(), 10.0)
    camera = camera_pose(transform_from_pose(state.state.head_pose))
    way = duck + np.array([0.0, 0.0, MIDDLE_OF_DUCK]) - camera[:3, 3]
    return math.degrees(math.acos(float(way @ camera[:3, 2] / np.linalg.norm(way))))


def test_search_finds_and_centers_duck_outside_view(graph: StartedGraph, client: GraphClient) -> None:
    assert degrees_from_duck(client) > 90.0
    asked = graph.command("ask", "find the duck", "--json")
    assert asked.returncode == 0, asked.stdout + asked.stderr
    answer = json.loads(asked.stdout)
    assert answer["tools_called"] == ["find_object"]
    assert answer["reply"] == "I found the duck."
    assert degrees_from_duck(client) < 5.0


def test_ask_command_answers_question_about_scene(graph: StartedGraph) -> None:
    answer = json.loads(graph.command("ask", "what do you see?", "--json").stdout)
    assert answer["tools_called"] == ["describe_image"]
    assert "duck" in answer["reply"]


@pytest.mark.nightly
def test_search_for_missing_object_covers_all_directions(graph: StartedGraph, client: GraphClient) -> None:
    asked = graph.command("ask", "find a person", "--json")
    assert asked.returncode != 0
    assert "I looked everywhere and did not see any face." in asked.stdout


def test_search_for_unknown_object_fails_without_moving_robot(graph: StartedGraph) -> None:
    asked = graph.command("ask", "look at the banana", "--json")
    assert asked.returncode != 0
    assert "cannot recognize 'banana'" in asked.stdout
