"""Tests of the extraction of ROS interfaces and parameters from the source code of the nodes."""

import pytest

from reachy_agent_ros.bringup import node_names
from scripts.reference_pages.definitions import read_endpoints
from scripts.reference_pages.node_source import Connection, read_node
from scripts.reference_pages.paths import NAMES

ENDPOINTS = read_endpoints(NAMES)
TYPES = {one.name: one.type for one in ENDPOINTS if one.kind == "Topic"}


@pytest.mark.parametrize("name", node_names())
def test_finds_every_topic_documented_with_node_as_publisher(name: str) -> None:
    described = {one.name for one in ENDPOINTS if one.kind == "Topic" and (one.node, one.relation) == (name, "from")}
    assert described <= {one.topic for one in read_node(name).connections if one.publishes}


@pytest.mark.parametrize("name", node_names())
def test_topic_types_match_documentation(name: str) -> None:
    found = [one for one in read_node(name).connections if not one.topic.startswith("/")]
    assert [(one.topic, one.type) for one in found] == [(one.topic, TYPES[one.topic]) for one in found]


def test_reads_qos_profile_of_imported_subscriber() -> None:
    assert Connection("head_pose", False, "SENSOR", "geometry_msgs/PoseStamped") in read_node("vision").connections


def test_reads_subscriptions_in_loop_and_in_table() -> None:
    found = read_node("gateway").connections
    assert Connection("grants", False, "LATCHED", "reachy_agent_msgs/GrantList") in found
    assert Connection("reward", False, "STANDARD", "reachy_agent_msgs/Reward") in found


def test_reads_message_type_whose_package_is_not_installed() -> None:
    types = {one.topic: one.type for one in read_node("hardware_bridge").connections}
    assert types["/tf"] == "tf2_msgs/TFMessage"
