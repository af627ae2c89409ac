from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform, matrix_from_rpy
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.execution_style import Direction, ExecutionStyle
from reachy_agent_ros.tools.gaze import NEAR, center, look_around
from support.robot.seeing_body import SeeingBody


@pytest.fixture(autouse=True, scope="module")
def _heads_that_rest_at_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reachy_agent_ros.tools.gaze.SETTLING", 0.0)
        yield


def context_of(body: SeeingBody, cancel: CancelToken | None = None) -> ToolContext:
    return ToolContext(body, Deadline(10.0), lambda _progress: None, cancel or CancelToken())


@given(st.floats(-math.pi, math.pi), st.floats(-1.5, 1.5))
def test_gaze_direction_matches_head_rotation(yaw: float, pitch: float) -> None:
    direction = Direction.along(matrix_from_rpy(0.0, pitch, yaw)[:, 0])
    assert math.cos(direction.yaw - yaw) == pytest.approx(1.0)
    assert direction.pitch == pytest.approx(pitch, abs=1e-6)


@settings(max_examples=100)
@given(distance=st.floats(0.4, 2.0), aside=st.floats(-0.7, 0.7), height=st.floats(0.03, 0.4))
def test_visible_object_is_centered_despite_friction(distance: float, aside: float, height: float) -> None:
    place = np.array([distance * math.cos(aside), distance * math.sin(aside), height])
    body = SeeingBody(things={"duck": place})
    context = context_of(body)
    centered = center("duck", body.detect(("duck",), context), context)
    assert body.axis_error("duck") == pytest.approx(centered.error, abs=1e-6)
    assert centered.error < NEAR


def test_centered_object_requires_no_motion() -> None:
    body = SeeingBody(things={"duck": np.array([1.0, 0.0, 0.177 + 0.0525])})
    context = context_of(body)
    center("duck", body.detect(("duck",), context), context)
    assert body.motions == []


class Higher(ExecutionStyle):
    """Execution style with a learned gaze offset. The robot looks above an object and to the left of it."""

    distance: float | None = None

    def aim(self, seen: Direction) -> Direction:
        return seen.turned(0.1, -0.15)

    def looks_at(self, distance: float | None) -> None:
        self.distance = distance


def test_gaze_ends_at_learned_offset() -> None:
    body = SeeingBody(things={"duck": np.array([0.6, 0.1, 0.05])})
    context = context_of(body)
    context.manner = manner = Higher()
    centered = center("duck", body.detect(("duck",), context), context)
    seen = Direction.along(np.array(centered.thing.bearing))
    looked = Direction.along(body.pose.head[:3, 0])
    assert looked.yaw - seen.yaw == pytest.approx(0.1, abs=NEAR)
    assert looked.pitch - seen.pitch == pytest.approx(-0.15, abs=NEAR)
    assert manner.distance == pytest.approx(0.58, abs=0.05)


@given(st.floats(-math.pi, math.pi), st.floats(-1.5, 1.5))
def test_gaze_direction_round_trips_through_vector(yaw: float, pitch: float) -> None:
    back = Direction.along(Direction(yaw, pitch).vector)
    assert math.cos(back.yaw - yaw) == pytest.approx(1.0)
    assert back.pitch == pytest.approx(pitch, abs=1e-6)


def test_gaze_keeps_centering_first_of_two_similar_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    body = SeeingBody(things={"duck": np.array([0.6, 0.3, 0.05])})
    context = context_of(body)
    sight = body.detect(("duck",), context)
    body.things = {"other": np.array([0.6, 0.1, 0.05]), **body.things}
    monkeypatch.setattr(body, "detect", lambda _labels, given: SeeingBody.detect(body, (), given))
    center("duck", sight, context)
    assert body.axis_error("duck") < NEAR


def test_centering_object_beyond_neck_range_raises_not_reached() -> None:
    body = SeeingBody(things={"duck": np.array([0.18, 0.0, 0.0])}, pose=BodyPose(head_transform(pitch=0.6)))
    context = context_of(body)
    with pytest.raises(AgentError, match="degrees beyond where I can look") as caught:
        center("duck", body.detect(("duck",), context), context)
    assert caught.value.code is ErrorCode.NOT_REACHED


def test_losing_object_during_motion_raises_not_found() -> None:
    body = SeeingBody(ghosts=1)
    context = context_of(body)
    body.pose = BodyPose(head_transform(yaw=0.5))
    with pytest.raises(AgentError) as caught:
        center("duck", body.detect(("duck",), context), context)
    assert caught.value.code is ErrorCode.NOT_FOUND


@pytest.mark.parametrize("bearing", range(-180, 180, 30))
@pytest.mark.parametrize("height", [0.05, 0.5])
def test_search_for_object_covers_all_directions(bearing: int, height: float) -> None:
    angle = math.radians(bearing)
    body = SeeingBody(things={"duck": np.array([0.5 * math.cos(angle), 0.5 * math.sin(angle), height])})
    assert any(sight.things for sight in look_around("duck", context_of(body)))


def test_cancel_ends_search_for_object() -> None:
    body, cancel = SeeingBody(), CancelToken()
    looks = look_around("duck", context_of(body, cancel))
    next(looks)
    next(looks)
    cancel.cancel()
    with pytest.raises(AgentError) as caught:
        next(looks)
    assert caught.value.code is ErrorCode.CANCELED
    assert len(body.motions) == 1
