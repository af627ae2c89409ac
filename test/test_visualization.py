"""Tests that the rviz and Foxglove configurations refer to existing topics, services and frames."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from reachy_agent_ros.core import names
from reachy_agent_ros.core.paths import configuration_file
from reachy_agent_ros.robot.kinematics import JOINTS
from reachy_agent_ros.ros.vision import markers
from scripts.reference_pages.definitions import read_endpoints

ROOT = Path(__file__).resolve().parent.parent
ENDPOINTS = read_endpoints(ROOT / "reachy_agent_ros" / "core" / "names.py")
TOPICS = {f"{names.NAMESPACE}/{one.name}": one.type for one in ENDPOINTS if one.kind == "Topic"}
TOPICS["/diagnostics"] = "diagnostic_msgs/DiagnosticArray"
SERVICES = {f"{names.NAMESPACE}/{one.name}" for one in ENDPOINTS if one.kind == "Service"}
FRAMES = {names.BASE_FRAME, names.HEAD_BASE_FRAME, names.HEAD_FRAME, names.CAMERA_FRAME}

RVIZ = yaml.safe_load(configuration_file("reachy_agent.rviz").read_text(encoding="utf-8"))["Visualization Manager"]
DISPLAYS = {display["Class"].split("/")[1]: display for display in RVIZ["Displays"]}
LAYOUT = json.loads(configuration_file("foxglove_layout.json").read_text(encoding="utf-8"))
PANELS = LAYOUT["configById"]


def message_type(topic: str) -> type[Any]:
    package, name = TOPICS[topic].split("/")
    return getattr(importlib.import_module(f"{package}.msg"), name)


def strings(value: object) -> Iterator[str]:
    """Yields all strings in nested lists and dicts, including the keys of dicts."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from (*strings(key), *strings(entry))
    elif isinstance(value, list):
        for entry in value:
            yield from strings(entry)


@pytest.mark.parametrize(
    ("display", "setting", "type_name"),
    [
        ("RobotModel", "Description Topic", "std_msgs/String"),
        ("MarkerArray", "Topic", "visualization_msgs/MarkerArray"),
        ("Image", "Topic", "sensor_msgs/CompressedImage"),
    ],
)
def test_rviz_displays_subscribe_to_topics_of_matching_type(display: str, setting: str, type_name: str) -> None:
    assert TOPICS[DISPLAYS[display][setting]["Value"]] == type_name


def test_rviz_receives_robot_description_published_before_its_start() -> None:
    assert DISPLAYS["RobotModel"]["Description Topic"]["Durability Policy"] == "Transient Local"


def test_rviz_shows_all_frames_and_marker_namespaces() -> None:
    assert RVIZ["Global Options"]["Fixed Frame"] == names.BASE_FRAME
    assert set(DISPLAYS["TF"]["Frames"]) - {"All Enabled"} == FRAMES
    kinds = ["GAZE", "FACE", "SEEN", "UNCERTAINTY", "LABEL", "LIMITS"]
    assert set(DISPLAYS["MarkerArray"]["Namespaces"]) == {getattr(markers, kind) for kind in kinds}


def test_foxglove_refers_to_existing_topics_fields_and_services() -> None:
    paths = [text for text in strings(PANELS) if text.startswith("/")]
    assert len(paths) > 10
    for path in paths:
        if path in SERVICES or path in TOPICS:
            continue
        topic, fields = re.fullmatch(r"([\w/]+)(?:\{\w+==\d+\})?\.([\w.\[\]]+)", path).groups()
        kind = message_type(topic)()
        for field in re.sub(r"\[\d+\]", "", fields).split("."):
            kind = getattr(kind, field)


def test_foxglove_shows_all_frames_of_robot() -> None:
    assert {key.removeprefix("frame:") for key in PANELS["3D!robot"]["transforms"]} == FRAMES


def test_foxglove_labels_joints_correctly() -> None:
    for path in PANELS["Plot!joints"]["paths"]:
        index = int(re.search(r"\[(\d+)\]", path["value"]).group(1))
        assert JOINTS[index] == path["label"]


def test_foxglove_layout_contains_every_panel() -> None:
    assert sorted(text for text in strings(LAYOUT["layout"]) if "!" in text) == sorted(PANELS)


def test_view_launch_file_can_be_loaded() -> None:
    pytest.importorskip("launch_ros", reason="ROS 2 launch is not installed")
    specification = importlib.util.spec_from_file_location("view_launch", ROOT / "launch" / "view.launch.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    description = module.generate_launch_description()
    assert [argument.name for argument in description.get_launch_arguments()] == ["rviz"]
