from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.mounting import Mounting

angles = st.floats(-0.5, 0.5)
HEAD = head_transform(roll=0.1, pitch=-0.2, yaw=0.4, z=0.01)


def test_an_eye_as_in_the_model_changes_nothing() -> None:
    assert Mounting.parse("") == Mounting()
    assert Mounting().head(HEAD) == pytest.approx(HEAD)


@given(angles, angles, angles)
def test_it_turns_about_its_own_place(roll: float, pitch: float, yaw: float) -> None:
    turned = camera_pose(Mounting(roll, pitch, yaw).head(HEAD))
    assert turned[:3, 3] == pytest.approx(camera_pose(HEAD)[:3, 3])


@pytest.mark.parametrize(("mounting", "axis", "sign"), [("0,0.1,0", 2, -1.0), ("0,0,0.1", 1, 1.0)])
def test_positive_pitch_looks_down_and_positive_yaw_left(mounting: str, axis: int, sign: float) -> None:
    view = camera_pose(Mounting.parse(mounting).head(np.eye(4)))[:3, 2]
    assert view[axis] == pytest.approx(sign * np.sin(0.1))


@pytest.mark.parametrize("text", ["0,0", "0,0,0,0", "a,b,c", "0,nan,0", "0,0.6,0", ",,", "7"])
def test_what_is_no_mounting_is_refused(text: str) -> None:
    with pytest.raises(AgentError) as caught:
        Mounting.parse(text)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
