import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.detection import Box
from reachy_agent_ros.vision.face_place import FACE_HEIGHT, face_box, face_position

INTRINSICS = Intrinsics(320, 240, 143.0)
EYE_FORWARD, EYE_HEIGHT = 0.0395, 0.0525


def angles(limit: float) -> st.SearchStrategy[float]:
    return st.floats(-limit, limit)


def test_a_face_straight_ahead_is_as_far_as_its_size_says() -> None:
    height = INTRINSICS.focal_length * FACE_HEIGHT / 0.8
    box = Box(150.0, 120.0 - height / 2.0, 170.0, 120.0 + height / 2.0)
    assert face_position(box, INTRINSICS, np.eye(4)) == pytest.approx([EYE_FORWARD + 0.8, 0.0, EYE_HEIGHT])


def test_left_and_up_in_the_picture_are_left_and_up_of_the_robot() -> None:
    _, y, z = face_position(Box(20.0, 20.0, 50.0, 60.0), INTRINSICS, np.eye(4))
    assert y > 0.0
    assert z > EYE_HEIGHT


@given(
    st.tuples(st.floats(20, 300), st.floats(20, 220)),
    st.floats(10, 150),
    st.floats(0.6, 1.0),
    st.tuples(angles(0.6), angles(0.6), angles(2.0), angles(0.03), angles(0.03)),
)
def test_a_face_appears_where_it_was_seen(
    centre: tuple[float, float], height: float, aspect: float, pose: tuple[float, ...]
) -> None:
    head = head_transform(*pose)
    (u, v), width = centre, aspect * height
    box = Box(u - width / 2.0, v - height / 2.0, u + width / 2.0, v + height / 2.0)
    assert face_box(face_position(box, INTRINSICS, head), aspect, INTRINSICS, head) == pytest.approx(box)


def test_a_face_behind_the_eye_does_not_appear() -> None:
    assert face_box(np.array([-1.0, 0.0, 0.0]), 0.8, INTRINSICS, np.eye(4)) is None
