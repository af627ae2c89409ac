"""Tests of face following without ROS. The simulated camera shows a photograph of a face."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from reachy_agent_ros.core.pose import Vector, angle_between, rpy_from_matrix
from reachy_agent_ros.motion.head_tracking import LOST_AFTER, RETURN
from support.stage import Moment, Stage, nobody, still


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.close()


def degrees_off(moments: list[Moment]) -> list[float]:
    return [math.degrees(moment.gaze_error) for moment in moments]


def walking(time: float) -> Vector:
    """Returns the position of a face at a time. It moves to and fro in front of the robot at up to 0.5 m/s."""
    return np.array([1.0, 0.4 * math.sin(1.1 * time), 0.35 + 0.1 * math.sin(2.0 * time)])


@pytest.mark.slow
def test_head_turns_to_face_and_comes_to_rest(stage: Stage) -> None:
    stage.run(3.0, still(1.0, 0.4, 0.4))
    moments = stage.run(1.5, still(1.0, 0.4, 0.4))
    assert max(degrees_off(moments)) < 3.0
    assert math.degrees(angle_between(moments[0].head, moments[-1].head)) < 1.5


@pytest.mark.slow
def test_head_follows_moving_face(stage: Stage) -> None:
    stage.run(1.0, walking)
    off = degrees_off(stage.run(6.0, lambda time: walking(time + 1.0)))
    assert np.median(off) < 5.0
    assert max(off) < 9.0


@pytest.mark.nightly
def test_head_does_not_oscillate_after_face_jump(stage: Stage) -> None:
    stage.run(2.5, still(1.0, 0.3, 0.3))
    yaws = [rpy_from_matrix(moment.head)[2] for moment in stage.run(3.0, still(1.0, -0.3, 0.3))]
    goal = math.atan2(-0.3, 1.0)
    assert min(yaws) > goal - math.radians(2.5)
    backwards = sum(max(0.0, after - before) for before, after in pairwise(yaws))
    assert math.degrees(backwards) < 3.0


@pytest.mark.nightly
def test_head_waits_for_lost_face_before_returning(stage: Stage) -> None:
    before = stage.run(3.0, still(1.0, 0.4, 0.35))[-1].head
    waited = stage.run(LOST_AFTER - 0.2, nobody)[-1].head
    assert math.degrees(angle_between(before, waited)) < 2.0
    moments = stage.run(0.2 + RETURN + 1.5, nobody)
    assert not stage.tracking.active
    assert math.degrees(angle_between(moments[-1].head, np.eye(4))) < 2.0
    steps = [math.degrees(angle_between(a.head, b.head)) for a, b in pairwise(moments)]
    assert max(steps) < 1.0  # deg in 10 ms
