"""Tests of the behavior that simulated bodies with and without physics have in common."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import angle_between, head_transform
from reachy_agent_ros.simulation.mujoco_body import MujocoBody
from reachy_agent_ros.simulation.virtual_body import KinematicBody, VirtualBody
from reachy_agent_ros.tools.body import BodyState, GazeMotion, MoveLibrary, NamedMotion, PoseMotion
from reachy_agent_ros.tools.context import ToolContext

Contexts = Callable[..., ToolContext]


LEFT = head_transform(yaw=math.radians(20.0))


@pytest.mark.slow
def test_motion_ends_at_target_after_its_duration(body: VirtualBody, context_for: Contexts) -> None:
    result = body.move(PoseMotion(LEFT, (0.5, -0.5), duration=1.0), context_for(body))
    assert result.error is None
    assert result.clamped == ()
    assert angle_between(result.pose.head, LEFT) < math.radians(4.1)
    assert result.pose.antenna_right == pytest.approx(0.5, abs=0.1)
    assert 1.0 <= body.now < 2.1


def test_gaze_and_named_move_advance_time(body: VirtualBody, context_for: Contexts) -> None:
    context = context_for(body)
    body.move(GazeMotion((0.5, 0.2, 0.1)), context)
    looked = body.now
    body.move(NamedMotion(MoveLibrary.GESTURE, "nod"), context)
    assert 0.0 < looked < body.now


@pytest.mark.slow
def test_simulated_body_plays_recorded_moves_from_folder(context_for: Contexts, tmp_path: Path) -> None:
    turned = head_transform(yaw=0.2).tolist()
    frames = [{"head": head, "antennas": [0, 0], "body_yaw": 0} for head in (np.eye(4).tolist(), turned)]
    recording = {"description": "turns", "time": [0.0, 1.0], "set_target_data": frames}
    (tmp_path / "turn.json").write_text(json.dumps(recording))
    for body in (KinematicBody(tmp_path), MujocoBody(moves=tmp_path)):
        body.reset()
        result = body.move(NamedMotion(MoveLibrary.RECORDED, "turn"), context_for(body))
        assert angle_between(result.pose.head, head_transform(yaw=0.2)) < math.radians(4.1)
        body.close()


def test_rejects_recorded_move_without_move_folder(body: VirtualBody, context_for: Contexts) -> None:
    with pytest.raises(AgentError, match="this simulation has no recorded moves") as caught:
        body.move(NamedMotion(MoveLibrary.RECORDED, "turn"), context_for(body))
    assert caught.value.code is ErrorCode.UNKNOWN_MOVE


def test_follows_target_stream_until_hold(body: VirtualBody) -> None:
    body.stream(PoseMotion(head_transform(yaw=0.3)))
    body.wait(1.5)
    body.hold()
    assert angle_between(body.state().pose.head, head_transform(yaw=0.3)) < math.radians(3.0)


def test_motion_longer_than_deadline_times_out(body: VirtualBody, context_for: Contexts) -> None:
    with pytest.raises(AgentError) as caught:
        body.move(PoseMotion(LEFT, duration=5.0), context_for(body, seconds=1.0))
    assert caught.value.code is ErrorCode.TIMEOUT
    assert body.now == pytest.approx(1.0, abs=0.05)


def test_rejects_impossible_motions(body: VirtualBody, context_for: Contexts) -> None:
    for motion in (PoseMotion(head_transform(pitch=2.0)), NamedMotion(MoveLibrary.EMOTION, "no such emotion")):
        with pytest.raises(AgentError):
            body.move(motion, context_for(body))
    assert np.allclose(body.state().pose.head, np.eye(4), atol=1e-3)


def test_canceled_call_does_not_start_motion(body: VirtualBody, context_for: Contexts) -> None:
    context = context_for(body)
    context.cancel.cancel()
    for call in (body.photograph, lambda context: body.detect((), context), lambda context: body.say("hi", context)):
        with pytest.raises(AgentError, match="CANCELED"):
            call(context)


def test_short_waits_add_up_without_rounding_error(body: VirtualBody) -> None:
    began = body.now
    for _ in range(1000):
        body.wait(0.001)
    assert body.now - began == pytest.approx(1.0)


def test_speech_advances_time(body: VirtualBody, context_for: Contexts) -> None:
    began = body.now
    assert body.say("Good morning, everybody!", context_for(body)) == "Good morning, everybody!"
    assert 1.0 < body.now - began < 3.0
    assert body.spoken == ["Good morning, everybody!"]


def test_long_speech_ends_at_deadline(body: VirtualBody, context_for: Contexts) -> None:
    body.say("la " * 10_000, context_for(body, seconds=2.0))
    assert body.now == pytest.approx(2.0, abs=0.05)


@pytest.mark.slow
def test_photo_and_detections_and_scene_description_are_consistent(body: VirtualBody, context_for: Contexts) -> None:
    context = context_for(body)
    photo = body.photograph(context)
    picture = Image.open(io.BytesIO(photo.jpeg))
    assert picture.size == (photo.intrinsics.width, photo.intrinsics.height) == (640, 480)
    assert body.last_photo() is photo
    things = body.detect((), context).things
    assert {thing.label for thing in things} == {"apple", "croissant", "duck"}
    assert all(thing.position is not None and abs(thing.position[0] - 0.6) < 0.1 for thing in things)
    assert [thing.label for thing in body.detect(("duck",), context).things] == ["duck"]
    answer = body.ask_about_scene("What is there?", context)
    assert set(answer.labels) == {"apple", "croissant", "duck"}
    assert "duck on the left" in answer.text


def test_reset_restores_initial_state(body: VirtualBody, context_for: Contexts) -> None:
    context = context_for(body)
    body.move(PoseMotion(LEFT, body_yaw=0.5), context)
    body.photograph(context)
    body.say("Hello", context)
    body.reset()
    assert body.now < 0.05
    assert body.spoken == []
    assert body.last_photo() is None
    assert angle_between(body.state().pose.head, np.eye(4)) < math.radians(0.1)
    assert body.state().pose.body_yaw == pytest.approx(0.0, abs=1e-3)


def test_simulated_body_reports_state_at_rest(body: VirtualBody) -> None:
    state = body.state()
    assert isinstance(state, BodyState)
    assert (state.activity, state.motors, state.connected, state.emergency_stopped) == ("idle", "enabled", True, False)
