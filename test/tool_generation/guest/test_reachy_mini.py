"""Replacement of the SDK for generated tools. Its API is compared with the source of the SDK."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.robot.description import source_path
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.guest import host
from reachy_agent_ros.tool_generation.guest.reachy_mini import ReachyMini
from reachy_agent_ros.tool_generation.guest.reachy_mini.robot import pose_towards
from reachy_agent_ros.tool_generation.guest.reachy_mini.utils import create_head_pose
from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tools.body import MoveLibrary, NamedMotion, Photo, PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.vision.camera import Intrinsics, jpeg
from support.robot.direct_link import DirectLink

RED = np.zeros((120, 160, 3), np.uint8) + np.array([255, 0, 0], np.uint8)


class RedWorld(RecordingBody):
    """Robot body whose camera images are red, with a field of view of 90 degrees."""

    def photograph(self, context: ToolContext) -> Photo:
        self.photo = Photo(jpeg(RED), Intrinsics(160, 120, 80.0), self.pose.head)
        return self.photo


@pytest.fixture
def body() -> RedWorld:
    return RedWorld()


@pytest.fixture
def reachy(body: RedWorld, tmp_path: Path) -> Iterator[ReachyMini]:
    context = ToolContext(body, Deadline(30.0), lambda _progress: None)
    host.connect(DirectLink(Broker(body, context, Equipment(tmp_path), Need).answer))
    with ReachyMini(media_backend="default") as reachy:
        yield reachy


def moved(body: RedWorld) -> PoseMotion:
    motion = body.motions[-1]
    assert isinstance(motion, PoseMotion)
    return motion


def signatures(path: Path, owner: str) -> dict[str, list[tuple[str, str]]]:
    """Returns the parameters and defaults of the functions in the class `owner`.

    If `owner` is empty, all functions of the file are used.
    """
    tree: Any = ast.parse(path.read_text(encoding="utf-8"))
    if owner:
        tree = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == owner)
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in node.args.args if argument.arg != "self"]
            defaults = [ast.unparse(default) for default in node.args.defaults]
            found[node.name] = list(zip(names, [""] * (len(names) - len(defaults)) + defaults, strict=True))
    return found


def offered(function: Callable[..., Any]) -> list[tuple[str, str]]:
    parameters = [one for one in inspect.signature(function).parameters.values() if one.name != "self"]
    return [(one.name, "" if one.default is inspect.Parameter.empty else repr(one.default)) for one in parameters]


def test_methods_have_same_parameters_and_defaults_as_sdk() -> None:
    sdk = signatures(source_path("reachy_mini.py"), "ReachyMini")
    for name, method in inspect.getmembers(ReachyMini, inspect.isfunction):
        if not name.startswith("_"):
            theirs = [
                (one, default.replace("InterpolationTechnique.MIN_JERK", "'minjerk'")) for one, default in sdk[name]
            ]
            assert offered(method) == theirs, name
    theirs = signatures(source_path("utils/__init__.py"), "")["create_head_pose"]
    assert offered(create_head_pose) == theirs


def test_goto_target_moves_to_pose_in_duration(reachy: ReachyMini, body: RedWorld) -> None:
    pose = create_head_pose(z=10, roll=5, yaw=-20, mm=True)
    reachy.goto_target(pose, antennas=np.array([0.5, -0.5]), duration=1.5, method="cartoon")
    motion = moved(body)
    assert motion.head is not None
    np.testing.assert_allclose(motion.head, pose)
    assert (motion.antennas, motion.duration) == ((0.5, -0.5), 1.5)
    np.testing.assert_allclose(reachy.get_current_head_pose(), pose)


def test_body_yaw_behavior_matches_sdk(reachy: ReachyMini, body: RedWorld) -> None:
    """By default, the body stays at zero unless the neck requires a turn. None keeps the current body yaw."""
    reachy.goto_target(create_head_pose(yaw=80))
    assert moved(body).body_yaw is None
    reachy.goto_target(antennas=[0.0, 0.0])
    assert moved(body).body_yaw == 0.0
    body.pose = BodyPose(body_yaw=0.4)
    reachy.goto_target(create_head_pose(), body_yaw=None)
    assert moved(body).body_yaw == 0.4


def test_set_target_sends_streamed_targets(reachy: ReachyMini, body: RedWorld) -> None:
    reachy.set_target_head_pose(create_head_pose(pitch=10))
    reachy.set_target_antenna_joint_positions([0.1, 0.2])
    reachy.set_target_body_yaw(np.float32(0.25))
    last = body.streamed[-1]
    assert last.head is not None
    assert (last.antennas, last.body_yaw) == ((0.1, 0.2), 0.25)
    assert body.motions == []


def test_joint_positions_match_sdk(reachy: ReachyMini) -> None:
    head, antennas = reachy.get_current_joint_positions()
    assert (len(head), antennas) == (7, [0.0, 0.0])
    assert reachy.get_present_antenna_joint_positions() == [0.0, 0.0]


def test_camera_frame_is_bgr_or_none_without_camera(
    reachy: ReachyMini, body: RedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    for frame in (reachy.media.get_frame(), reachy.media.camera.read(), reachy.media.camera.get_frame()):
        assert frame is not None
        assert (frame.shape, frame.dtype) == ((120, 160, 3), np.uint8)
        np.testing.assert_allclose(frame[60, 80], [0, 0, 255], atol=12)
    encoded = reachy.media.get_frame_jpeg()
    assert encoded is not None
    assert encoded[:2] == b"\xff\xd8"
    assert reachy.media.camera.resolution == (160, 120)

    def blind(_context: ToolContext) -> Photo:
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, "no camera")

    monkeypatch.setattr(body, "photograph", blind)
    assert reachy.media.get_frame() is None


def test_look_at_image_turns_head_toward_pixel(reachy: ReachyMini, body: RedWorld) -> None:
    pose = reachy.look_at_image(159, 60)
    left = math.atan2(pose[1, 0], pose[0, 0])
    assert math.degrees(left) == pytest.approx(-44.6, abs=0.1)
    assert moved(body).duration == 1.0
    with pytest.raises(ValueError, match="160x120"):
        reachy.look_at_image(160, 60)


def test_look_at_without_movement_does_not_move_robot(reachy: ReachyMini, body: RedWorld) -> None:
    pose = reachy.look_at_world(1.0, 1.0, 0.0, perform_movement=False)
    np.testing.assert_allclose(pose, head_transform(yaw=math.pi / 4), atol=1e-12)
    assert body.motions == body.streamed == []
    reachy.look_at_world(1.0, 0.0, 0.0, duration=0)
    assert len(body.streamed) == 1


def test_wake_up_and_goto_sleep_move_robot(reachy: ReachyMini, body: RedWorld) -> None:
    reachy.wake_up()
    assert [motion.duration for motion in body.motions if isinstance(motion, PoseMotion)] == [2.0, 0.2, 0.2]
    reachy.goto_sleep()
    assert body.motions[-1] == NamedMotion(MoveLibrary.GESTURE, "go_to_sleep")


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda reachy: reachy.set_target(), "sets nothing"),
        (lambda reachy: reachy.goto_target(np.eye(4), duration=0.0), "Use set_target"),
        (lambda reachy: reachy.goto_target(np.eye(3)), r"got shape \(3, 3\)"),
        (lambda reachy: reachy.goto_target(np.eye(4), antennas=[0.0]), "two elements"),
        (lambda reachy: reachy.goto_target(np.eye(4), method="fast"), "method must be one of linear"),
        (
            lambda reachy: reachy.goto_target(create_head_pose(pitch=120)),
            "OUT_OF_ENVELOPE: .* is beyond its limits",
        ),
        (lambda reachy: reachy.goto_target(create_head_pose(z=10)), "head.z of 10000.0 mm is beyond its limits"),
        (lambda reachy: reachy.set_target_head_pose(None), "must be provided"),
        (lambda reachy: reachy.look_at_world(1, 0, 0, duration=-1), "negative"),
    ],
)
def test_invalid_sdk_arguments_raise_value_error(reachy: ReachyMini, body: RedWorld, call: Any, hint: str) -> None:
    with pytest.raises(ValueError, match=hint):
        call(reachy)
    assert body.motions == body.streamed == []


@pytest.mark.parametrize("name", ["disable_motors", "enable_gravity_compensation", "client", "play_move", "imu"])
def test_error_for_missing_sdk_attribute_lists_available_attributes(reachy: ReachyMini, name: str) -> None:
    with pytest.raises(AttributeError, match=f"ReachyMini.{name} is not available in a tool; .*goto_target"):
        getattr(reachy, name)
    with pytest.raises(AttributeError, match=r"media\.play_sound is not available"):
        reachy.media.play_sound("x.wav")
    with pytest.raises(TypeError, match="robot_name"):
        ReachyMini(speed=3)


@given(st.tuples(*[st.floats(-180.0, 180.0)] * 3), st.tuples(*[st.floats(-100.0, 100.0)] * 3))
def test_create_head_pose_follows_ros_conventions(angles: tuple[float, ...], shift: tuple[float, ...]) -> None:
    (roll, pitch, yaw), (x, y, z) = angles, shift
    expected = head_transform(*(math.radians(angle) for angle in angles), *(value / 1000.0 for value in shift))
    made = create_head_pose(x, y, z, roll, pitch, yaw, mm=True)
    np.testing.assert_allclose(made, expected, atol=1e-12)


@given(st.tuples(*[st.floats(-10.0, 10.0)] * 3).filter(lambda point: sum(map(abs, point)) > 1e-3))
def test_pose_toward_point_has_x_axis_toward_point(point: tuple[float, ...]) -> None:
    turn = pose_towards(np.array(point))[:3, :3]
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-6)
    assert np.linalg.det(turn) > 0.0
    np.testing.assert_allclose(turn[:, 0], np.array(point) / np.linalg.norm(point), atol=1e-4)
