from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.learning.environments.specification import PostureChannel
from reachy_agent_ros.learning.imitation.shown_course import ShownCourse
from reachy_agent_ros.learning.imitation.taught_skill import TaughtMotion
from reachy_agent_ros.robot.kinematics import BodyKinematics

CHANNELS = (PostureChannel.Z, PostureChannel.ROLL, PostureChannel.PITCH, PostureChannel.YAW)


class Pushing:
    """Policy that always requests the same displacement."""

    def __init__(self, way: list[float]) -> None:
        self._way = np.array(way, dtype=np.float32)

    def action(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        return self._way


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(way=st.lists(st.floats(-1.0, 1.0, width=32), min_size=4, max_size=4), pitch=st.floats(-0.5, 0.5))
def test_targets_of_taught_motion_are_reachable(way: list[float], pitch: float) -> None:
    led = np.linspace(0.0, 1.0, 40)[:, None] * np.array(
        [0.03, 0.13, -0.12, -0.07]
    )  # m and rad, a pose above the reach of the arms
    course = ShownCourse(CHANNELS, led)
    present = BodyPose(head_transform(pitch=pitch))
    motion = TaughtMotion(course, course, Pushing(way), present)
    passed = [motion.target(present, period * motion.period) for period in range(40)]
    assert all(BodyKinematics().reaches(pose) for pose in (motion.start, *passed, motion.end))
