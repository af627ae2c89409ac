"""Tests of the vision tools with objects at known positions."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.tools.body import Photo
from reachy_agent_ros.tools.call import CallOutcome, ToolRequest
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.predefined import predefined_tools
from reachy_agent_ros.tools.runner import ToolRunner
from reachy_agent_ros.vision.eye import camera_pose, pixel_of
from support.robot.seeing_body import LENS, SeeingBody

BEHIND = np.array([-0.4, 0.2, 0.05])
AHEAD = np.array([0.6, 0.2, 0.05])


@pytest.fixture(autouse=True, scope="module")
def _heads_that_rest_at_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reachy_agent_ros.tools.gaze.SETTLING", 0.0)
        yield


def call(body: SeeingBody, tool: str, /, **arguments: Any) -> dict[str, Any]:
    runner = ToolRunner(ToolCatalogue(predefined_tools(Path("unused"), ("joy",), ("nod",))), body)
    outcomes: Queue[CallOutcome] = Queue()
    runner.start(ToolRequest(tool, json.dumps(arguments)), outcomes.put)
    outcome = outcomes.get(timeout=5.0)
    if outcome.error is not None:
        raise outcome.error
    result: dict[str, Any] = json.loads(outcome.result_json)
    return result


def test_detect_objects_returns_visible_objects_with_position() -> None:
    result = call(SeeingBody(things={"duck": AHEAD, "apple": BEHIND}), "detect_objects")
    (duck,) = result["objects"]
    assert (duck["name"], duck["x_m"], duck["y_m"]) == ("duck", 0.6, 0.2)
    assert duck["yaw_deg"] == pytest.approx(math.degrees(math.atan2(0.2, 0.6 - 0.0395)), abs=0.1)
    assert duck["pitch_deg"] > 10.0


@pytest.mark.parametrize("name", ["duck", " The Duck"])
def test_find_object_centers_object_outside_field_of_view(name: str) -> None:
    body = SeeingBody(things={"duck": BEHIND})
    result = call(body, "find_object", name=name)
    assert math.degrees(body.axis_error("duck")) < 3.0
    assert result["off_centre_deg"] < 3.0
    assert result["x_m"] == -0.4


def test_find_object_raises_if_object_is_missing() -> None:
    body = SeeingBody(things={"apple": AHEAD})
    with pytest.raises(AgentError, match="I looked everywhere and did not see any duck") as caught:
        call(body, "find_object", name="duck")
    assert caught.value.code is ErrorCode.NOT_FOUND
    assert len(body.motions) == 12


@pytest.mark.parametrize("place", [np.array([0.8, -0.3, 0.4]), np.array([-0.7, 0.3, 0.5])])
def test_sweep_look_stops_at_face(place: np.ndarray) -> None:
    body = SeeingBody(things={"face": place, "duck": AHEAD})
    result = call(body, "sweep_look")
    assert result["name"] == "face"
    assert math.degrees(body.axis_error("face")) < 3.0


def test_sweep_look_raises_if_nobody_is_there() -> None:
    body = SeeingBody(things={"duck": AHEAD})
    with pytest.raises(AgentError, match="I looked all around and did not see anybody") as caught:
        call(body, "sweep_look")
    assert caught.value.code is ErrorCode.NOT_FOUND
    assert len(body.motions) == 6


def test_false_detection_does_not_end_search() -> None:
    body = SeeingBody(things={"duck": BEHIND}, ghosts=1, pose=BodyPose(head_transform(yaw=0.3)))
    call(body, "find_object", name="duck")
    assert math.degrees(body.axis_error("duck")) < 3.0


def test_look_at_object_raises_error_for_object_outside_view() -> None:
    body = SeeingBody(things={"duck": BEHIND})
    with pytest.raises(AgentError, match="I do not see any duck") as caught:
        call(body, "look_at_object", name="duck")
    assert caught.value.code is ErrorCode.NOT_FOUND
    assert body.motions == []


def test_look_at_object_reports_rejection_of_motion() -> None:
    refusal = AgentError(ErrorCode.EMERGENCY_STOPPED, "emergency stop")
    with pytest.raises(AgentError) as caught:
        call(SeeingBody(things={"duck": AHEAD}, refusal=refusal), "look_at_object", name="duck")
    assert caught.value.code is ErrorCode.EMERGENCY_STOPPED


def test_look_at_image_uses_camera_intrinsics() -> None:
    body = SeeingBody(things={"mark": np.array([0.5, -0.15, 0.0])})
    with pytest.raises(AgentError, match="take a photo first"):
        call(body, "look_at_image", u=1, v=1)
    body.photo = Photo(b"", LENS, body.pose.head)
    camera = camera_pose(body.pose.head)
    pixel = pixel_of(camera[:3, :3].T @ (body.things["mark"] - camera[:3, 3]), LENS)
    assert pixel is not None
    call(body, "look_at_image", u=pixel[0], v=pixel[1])
    (motion,) = body.motions
    body.pose = BodyPose(motion.head)  # the error without joint friction
    assert math.degrees(body.axis_error("mark")) < 0.5


def test_look_at_image_rejects_pixel_outside_image() -> None:
    body = SeeingBody()
    body.photo = Photo(b"", LENS, body.pose.head)
    with pytest.raises(AgentError, match="320x240") as caught:
        call(body, "look_at_image", u=321, v=10)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS


def test_scene_tools_return_description_in_words() -> None:
    body = SeeingBody()
    assert call(body, "describe_image") == {"description": "A duck and an apple."}
    answer = call(body, "analyze_scene", prompt="How many ducks?")
    assert answer == {"answer": "A duck and an apple.", "detected": ["duck", "apple"]}
    assert body.questions == ["What do you see?", "How many ducks?"]


def test_head_tracking_tool_enables_and_disables_head_tracking() -> None:
    body = SeeingBody()
    assert call(body, "head_tracking", enabled=True) == {"enabled": True}
    assert body.tracking
    call(body, "head_tracking", enabled=False)
    assert not body.tracking
