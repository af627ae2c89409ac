"""Capabilities derived from a tool source.

They are compared with the requests that the functions of the tool send.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.broker.verbs import VERBS
from reachy_agent_ros.tool_generation.guest import host, reachy_agent, requests
from reachy_agent_ros.tool_generation.guest.reachy_mini import ReachyMini
from reachy_agent_ros.tool_generation.guest.reachy_mini.robot import Camera, Media
from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tool_generation.validation.examination import NEEDS
from support.robot.direct_link import DirectLink
from support.tool_generation.validation_sources import tool, validate

ANSWERS: Mapping[str, Any] = {
    "state": {"head": np.eye(4).tolist(), "antennas": [0.0, 0.0], "body_yaw": 0.0},
    "head_pose": np.eye(4).tolist(),
    "joints": {"head": [0.0] * 7, "antennas": [0.0, 0.0]},
    "lens": {"width": 640, "height": 480, "focal_length": 500.0},
    "ask_scene": {"answer": "", "detected": []},
    "get": {"status": 200, "url": "", "headers": {}, "body": ""},
    "detect": [],
    "sleep": (0.0, True),
}

ROBOT: Mapping[str, Callable[[ReachyMini], Any]] = {
    "goto_target": lambda robot: robot.goto_target(np.eye(4), body_yaw=None),
    "look_at_image": lambda robot: robot.look_at_image(10.0, 10.0),
    "look_at_world": lambda robot: robot.look_at_world(1.0, 0.0, 0.0),
    "set_target": lambda robot: robot.set_target(antennas=[0.0, 0.0]),
    "set_target_antenna_joint_positions": lambda robot: robot.set_target_antenna_joint_positions([0.0, 0.0]),
    "set_target_body_yaw": lambda robot: robot.set_target_body_yaw(0.0),
    "set_target_head_pose": lambda robot: robot.set_target_head_pose(np.eye(4)),
}
"""Example calls of the methods that have arguments."""

FUNCTIONS: Mapping[str, Callable[[], Any]] = {
    "reachy_agent.analyze_scene": lambda: reachy_agent.analyze_scene("Who is there?"),
    "reachy_agent.dance": lambda: reachy_agent.dance("polka"),
    "reachy_agent.detect_objects": reachy_agent.detect_objects,
    "reachy_agent.express_emotion": lambda: reachy_agent.express_emotion("joy"),
    "reachy_agent.gesture": lambda: reachy_agent.gesture("nod"),
    "reachy_agent.look_at": lambda: reachy_agent.look_at(1.0, 0.0, 0.0),
    "reachy_agent.play_move": lambda: reachy_agent.play_move("wave"),
    "reachy_agent.say": lambda: reachy_agent.say("Hello."),
    "reachy_agent.take_photo": reachy_agent.take_photo,
    "reachy_mini.ReachyMini": ReachyMini,
    "requests.get": lambda: requests.get("https://example.org/"),
}


@pytest.fixture
def asked() -> Iterator[list[str]]:
    """List of the requests recorded so far."""
    verbs: list[str] = []

    def answer(verb: str, _arguments: Mapping[str, Any]) -> Any:
        verbs.append(verb)
        if verb == "frame":
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, "There is no camera.")
        return ANSWERS.get(verb, {})

    host.connect(DirectLink(answer))
    yield verbs
    host._links.clear()


def needs_of(verbs: list[str]) -> set[Need]:
    return {need for verb in verbs if (need := VERBS[verb].need) is not None}


def test_every_guest_function_has_a_capability() -> None:
    assert FUNCTIONS.keys() == NEEDS.keys()
    assert {path.removeprefix("reachy_agent.") for path in NEEDS if "agent" in path} == set(reachy_agent.__all__)


@pytest.mark.parametrize("path", sorted(NEEDS))
def test_guest_function_requires_only_its_capability(asked: list[str], path: str) -> None:
    FUNCTIONS[path]()
    assert needs_of(asked) <= {NEEDS[path]}


@pytest.mark.parametrize("method", [name for name in dir(ReachyMini) if not name.startswith("_") and name != "media"])
def test_robot_method_requires_its_capabilities(asked: list[str], method: str) -> None:
    call = ROBOT.get(method, lambda robot: getattr(robot, method)())
    call(ReachyMini())
    assert asked
    assert needs_of(asked) <= validate(tool(f"ReachyMini().{method}")).needs


@pytest.mark.parametrize(("owner", "path"), [(Media(), "media"), (Camera(), "media.camera")])
def test_camera_method_requires_its_capabilities(asked: list[str], owner: object, path: str) -> None:
    for name in [name for name in dir(owner) if not name.startswith("_") and name != "camera"]:
        value = getattr(owner, name)
        if callable(value):
            value()
        assert needs_of(asked) <= validate(tool(f"ReachyMini().{path}.{name}")).needs
    assert asked


def test_pose_computation_requires_no_capability() -> None:
    assert validate(tool("from reachy_mini.utils import create_head_pose\ncreate_head_pose()")).needs == set()
