from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.eye import Mounting, bearing, camera_pose, pixel_of, ray_through

LENS = Intrinsics.from_field_of_view(320, 240, np.radians(80.0))
HEAD = head_transform(roll=0.1, pitch=-0.2, yaw=0.4, z=0.01)

angles = st.floats(-0.5, 0.5)


@given(st.floats(-100, 420), st.floats(-100, 340), st.floats(0.1, 10.0))
def test_projection_of_ray_and_pixel_round_trips(u: float, v: float, distance: float) -> None:
    ray = ray_through((u, v), LENS)
    assert np.linalg.norm(ray) == pytest.approx(1.0)
    assert pixel_of(ray * distance, LENS) == pytest.approx((u, v), abs=1e-6)


def test_point_behind_camera_has_no_pixel() -> None:
    assert pixel_of(np.array([0.0, 0.0, 0.0]), LENS) is None
    assert pixel_of(np.array([0.1, 0.1, -1.0]), LENS) is None


def test_image_center_is_gaze_direction() -> None:
    head = head_transform(roll=0.2, pitch=0.3, yaw=-0.5, x=0.01, z=0.02)
    assert bearing((160, 120), LENS, camera_pose(head)) == pytest.approx(head[:3, 0])


def test_image_axes_match_robot_axes() -> None:
    level = camera_pose(np.eye(4))
    right_and_up = bearing((300, 20), LENS, level)
    assert right_and_up[1] < 0.0 < right_and_up[2]
    assert bearing((160, 0), LENS, level)[2] == pytest.approx(np.sin(np.radians(40.0)))


def test_camera_is_above_and_in_front_of_head_origin() -> None:
    assert camera_pose(np.eye(4))[:3, 3] == pytest.approx([0.0395, 0.0, 0.177 + 0.0525])


def test_default_camera_mounting_is_identity() -> None:
    assert Mounting.parse("") == Mounting()
    assert Mounting().head(HEAD) == pytest.approx(HEAD)


@given(angles, angles, angles)
def test_camera_mounting_rotates_about_camera_center(roll: float, pitch: float, yaw: float) -> None:
    turned = camera_pose(Mounting(roll, pitch, yaw).head(HEAD))
    assert turned[:3, 3] == pytest.approx(camera_pose(HEAD)[:3, 3])


@pytest.mark.parametrize(("mounting", "axis", "sign"), [("0,0.1,0", 2, -1.0), ("0,0,0.1", 1, 1.0)])
def test_positive_mounting_angles_pitch_camera_down_and_yaw_it_left(mounting: str, axis: int, sign: float) -> None:
    view = camera_pose(Mounting.parse(mounting).head(np.eye(4)))[:3, 2]
    assert view[axis] == pytest.approx(sign * np.sin(0.1))


@pytest.mark.parametrize("text", ["0,0", "0,0,0,0", "a,b,c", "0,nan,0", "0,0.6,0", ",,", "7"])
def test_rejects_invalid_camera_mounting(text: str) -> None:
    with pytest.raises(AgentError) as caught:
        Mounting.parse(text)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
