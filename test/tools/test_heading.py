"""Directions of the head count from the front of the robot, which turns with its body."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform, rpy_from_matrix
from reachy_agent_ros.simulation.virtual_body import KinematicBody
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.heading import Heading
from reachy_agent_ros.tools.predefined.movement import MOVEMENT_TOOLS

Run = Callable[..., dict[str, Any]]

TOOLS = {tool.specification.name: tool for tool in MOVEMENT_TOOLS}


@pytest.fixture
def body() -> KinematicBody:
    return KinematicBody()


@pytest.fixture
def run(body: KinematicBody) -> Run:
    def call(name: str, **arguments: float | str) -> dict[str, Any]:
        context = ToolContext(body, Deadline(60.0, lambda: body.now), lambda _progress: None)
        tool = TOOLS[name]
        result: dict[str, Any] = tool.handler(tool.specification.arguments.model_validate(arguments), context)
        return result

    return call


def yaws(body: KinematicBody) -> tuple[float, float]:
    """Returns the yaw of the head in `head_base` and the yaw of the body, degrees."""
    pose = body.state().pose
    return round(math.degrees(rpy_from_matrix(pose.head)[2]), 1), round(math.degrees(pose.body_yaw), 1)


def test_front_is_straight_ahead_at_start() -> None:
    assert Heading().front(math.radians(3.0)) == 0.0


def test_front_follows_body_turned_by_anything_else() -> None:
    heading = Heading()
    assert heading.front(1.0) == 1.0
    assert heading.front(-0.5) == -0.5


def test_front_stays_after_head_has_turned_body() -> None:
    heading = Heading()
    heading.keep(0.8)
    assert heading.front(0.81) == 0.0


def test_deliberate_turn_to_where_head_has_turned_body_is_the_front() -> None:
    heading = Heading()
    heading.keep(0.8)
    heading.face(0.8)
    assert heading.front(0.8) == 0.8


@given(st.floats(-2.7, 2.7), st.floats(-1.0, 1.0))
def test_head_seen_from_front_has_yaw_relative_to_front(front: float, yaw: float) -> None:
    heading = Heading()
    heading.face(front)
    pose = BodyPose(head_transform(yaw=front + yaw), body_yaw=front)
    expected = yaw if heading.front(front) else math.remainder(front + yaw, math.tau)
    assert rpy_from_matrix(heading.seen_from_front(pose).head)[2] == pytest.approx(expected)


def test_look_to_the_side_after_turn_of_body_leaves_body_where_it_is(run: Run, body: KinematicBody) -> None:
    run("rotate_body", yaw_deg=60)
    result = run("move_head", yaw_deg=30)
    assert yaws(body) == (90.0, 60.0)
    assert result["measured"]["head"]["yaw_deg"] == pytest.approx(30.0, abs=0.1)
    assert run("get_robot_state")["head"]["yaw_deg"] == pytest.approx(30.0, abs=0.1)


def test_body_follows_wide_turn_of_head_and_front_stays(run: Run, body: KinematicBody) -> None:
    run("rotate_body", yaw_deg=-60)
    for _ in range(2):
        run("move_head", yaw_deg=-60)
        assert yaws(body) == (-120.0, -75.0)
    run("move_head", pitch_deg=10)
    assert yaws(body) == (-60.0, -60.0)


def test_neutral_pose_turns_body_back(run: Run, body: KinematicBody) -> None:
    run("rotate_body", yaw_deg=-60)
    run("move_head", duration_s=2.0)
    assert yaws(body) == (0.0, 0.0)
    run("move_head", yaw_deg=20)
    assert yaws(body) == (20.0, 0.0)


def test_shift_of_head_is_toward_front(run: Run, body: KinematicBody) -> None:
    run("rotate_body", yaw_deg=90)
    run("move_head", x_mm=20)
    assert body.state().pose.head[:2, 3].tolist() == pytest.approx([0.0, 0.02], abs=1e-3)


def test_frame_base_counts_from_foot(run: Run, body: KinematicBody) -> None:
    run("rotate_body", yaw_deg=60)
    run("move_head", yaw_deg=30, frame="base")
    assert yaws(body)[0] == 30.0


@pytest.mark.parametrize("frame", ["head", "", "BASE"])
def test_rejects_unknown_frame(frame: str) -> None:
    with pytest.raises(AgentError, match="frame") as refused:
        TOOLS["move_head"].specification.parse(f'{{"frame": "{frame}"}}')
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS


@settings(deadline=None)
@given(st.floats(-160.0, 160.0), st.floats(-60.0, 60.0).filter(bool))
def test_every_reachable_turn_ends_at_yaw_from_front(body_deg: float, yaw_deg: float) -> None:
    body = KinematicBody()
    context = ToolContext(body, Deadline(60.0, lambda: body.now), lambda _progress: None)
    for name, yaw in (("rotate_body", body_deg), ("move_head", yaw_deg)):
        tool = TOOLS[name]
        tool.handler(tool.specification.arguments.model_validate({"yaw_deg": yaw}), context)
    pose = body.state().pose
    front = body.heading.front(pose.body_yaw)
    turn = math.remainder(rpy_from_matrix(pose.head)[2] - front, math.tau)
    assert math.degrees(turn) == pytest.approx(yaw_deg, abs=0.2)
