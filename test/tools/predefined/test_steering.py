"""Tools that pause, continue, change the pace and mirror the pose."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tools.body import PoseMotion
from reachy_agent_ros.tools.call import CallOutcome, ToolRequest
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.predefined.movement import MOVEMENT_TOOLS
from reachy_agent_ros.tools.predefined.steering import STEERING_TOOLS
from reachy_agent_ros.tools.runner import ToolRunner
from support.waiting import wait_until


@pytest.fixture
def body() -> RecordingBody:
    return RecordingBody()


def call(body: RecordingBody, tool: str, **arguments: object) -> dict[str, object]:
    runner, outcomes = ToolRunner(ToolCatalogue([*STEERING_TOOLS, *MOVEMENT_TOOLS]), body), list[CallOutcome]()
    runner.start(ToolRequest(tool, json.dumps(arguments)), outcomes.append)
    wait_until(lambda: bool(outcomes))
    runner.close()
    assert outcomes[0].error is None, outcomes[0].error
    result: dict[str, object] = json.loads(outcomes[0].result_json)
    return result


def test_pause_holds_and_resume_continues(body: RecordingBody) -> None:
    call(body, "pause")
    assert body.held == 1
    call(body, "resume")
    assert body.proceeded == 1


@pytest.mark.parametrize(
    ("before", "arguments", "after"),
    [
        (1.0, {"change": "slower"}, 70),
        (0.7, {"change": "faster"}, 100),
        (0.3, {"change": "slower"}, 30),
        (2.0, {"change": "faster"}, 200),
        (0.85, {"change": "slower"}, 70),
        (0.5, {"percent": 100}, 100),
        (0.5, {}, 50),
    ],
)
def test_pace_changes_by_steps_within_limits(
    body: RecordingBody, before: float, arguments: dict[str, object], after: int
) -> None:
    body.tempo = before
    assert call(body, "set_pace", **arguments) == {"percent": after, "previous_percent": round(100 * before)}
    assert body.tempo == pytest.approx(after / 100)


def test_mirrored_pose_points_to_the_other_side(body: RecordingBody) -> None:
    angles = {"roll": 0.1, "pitch": 0.2, "yaw": 0.3, "y": 0.01, "z": -0.01}
    body.pose = BodyPose(head_transform(**angles), antenna_right=0.5, antenna_left=0.2, body_yaw=0.4)
    call(body, "mirror_pose")
    (motion,) = body.motions
    assert isinstance(motion, PoseMotion)
    assert motion.antennas == (-0.2, -0.5)
    assert motion.body_yaw == -0.4
    mirrored = {**angles, "roll": -0.1, "yaw": -0.3, "y": -0.01}
    assert motion.head is not None
    assert np.allclose(motion.head, head_transform(**mirrored))


def test_set_pose_restores_reported_pose(body: RecordingBody) -> None:
    body.pose = replace(BodyPose(head_transform(0.1, 0.2, 0.9, z=0.01)), body_yaw=0.5, antenna_left=0.3)
    state = call(body, "get_robot_state")
    head = state["head"]
    assert isinstance(head, dict)
    names = ("body_yaw_deg", "antenna_right_deg", "antenna_left_deg", "front_deg")
    call(body, "set_pose", **head, **{name: state[name] for name in names})
    (motion,) = body.motions
    assert isinstance(motion, PoseMotion)
    assert motion.head is not None
    assert np.allclose(motion.head, body.pose.head, atol=0.002)
    assert motion.body_yaw == pytest.approx(0.5, abs=0.002)
    assert motion.antennas == pytest.approx((0.0, 0.3), abs=0.002)
    assert math.degrees(0.5) == pytest.approx(state["front_deg"], abs=0.1)
