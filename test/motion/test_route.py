from __future__ import annotations

import numpy as np
import pytest

from reachy_agent_ros.core.pose import BodyPose, Vector, head_transform
from reachy_agent_ros.motion.route import route
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.envelope import HIGH, LOW
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.workspace import CLEARANCE, Workspace

WORKSPACE = Workspace(CLEARANCE)


def pairs(count: int) -> list[tuple[Vector, Vector]]:
    """Starts and goals inside of the workspace, of which the straight way leads out of it."""
    generator, found = np.random.default_rng(4), []
    while len(found) < count:
        start, goal = (WORKSPACE.nearest(generator.uniform(LOW, HIGH)) for _ in range(2))
        if not all(WORKSPACE.holds(start + share * (goal - start)) for share in np.linspace(0.0, 1.0, 17)):
            found.append((start, goal))
    return found


def test_free_way_is_straight() -> None:
    goal = BodyPose(head_transform(pitch=0.2, yaw=0.3), body_yaw=0.1)
    way = route(BodyPose(), goal, WORKSPACE)
    assert way.via is None
    assert way.goal is goal


def test_way_around_stays_inside_and_ends_at_goal_at_rest() -> None:
    found = 0
    for start, goal in pairs(20):
        way = route(posture(start), posture(goal), WORKSPACE)
        move = way.move(MotionState(start, np.zeros(9)))
        assert np.allclose(coordinates(move.at(move.duration)), goal, atol=1e-9)
        if way.via is not None:
            found += 1
            moments = np.linspace(0.0, move.duration, 60)
            assert all(WORKSPACE.clearance(coordinates(move.at(moment))) > 0.0 for moment in moments)
    assert found >= 15


def test_duration_is_shared_by_both_halves_and_no_shorter_than_the_fastest() -> None:
    ((start, goal),) = pairs(1)
    way = route(posture(start), posture(goal), WORKSPACE)
    assert way.via is not None
    assert way.move(MotionState(start, np.zeros(9)), 4.0).duration == pytest.approx(4.0)
    assert way.move(MotionState(start, np.zeros(9)), 0.01).duration >= way.fastest(posture(start)) - 1e-9
