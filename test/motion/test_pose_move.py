from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import BodyPose, Vector, head_transform
from reachy_agent_ros.motion.move import Move
from reachy_agent_ros.motion.pose_move import (
    GENTLE_ACCELERATION,
    GENTLE_SPEED,
    PoseMove,
    Route,
    route,
    stopping_move,
)
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.workspace import CLEARANCE, Workspace

STEP = 1e-3
WORKSPACE = Workspace(CLEARANCE)
positions = st.tuples(*(st.floats(low, high) for low, high in zip(LOW, HIGH, strict=True))).map(np.array)


def resting(position: np.ndarray) -> MotionState:
    return MotionState(position, np.zeros(9))


def track(move: PoseMove) -> np.ndarray:
    return np.array([coordinates(move.at(t)) for t in np.arange(0.0, move.duration + 2 * STEP, STEP)])


@pytest.mark.slow
@given(positions, positions)
def test_move_without_duration_is_slow_and_ends_at_goal(start: np.ndarray, goal: np.ndarray) -> None:
    move = PoseMove(resting(start), posture(goal))
    moved = track(move)[:: max(1, int(move.duration / STEP / 200))]
    assert np.allclose(moved[0], start, atol=1e-9)
    assert np.allclose(coordinates(move.at(move.duration)), goal, atol=1e-9)
    assert (1.875 * np.abs(goal - start) / move.duration <= GENTLE_SPEED + 1e-9).all()
    assert (5.7735 * np.abs(goal - start) / move.duration**2 <= GENTLE_ACCELERATION + 1e-6).all()


def test_peak_speed_and_acceleration_equal_those_of_minimum_jerk_move() -> None:
    moved = track(PoseMove(resting(np.zeros(9)), BodyPose(body_yaw=1.0), 2.0))[:, 6]
    assert np.diff(moved).max() / STEP == pytest.approx(1.875 / 2.0, rel=1e-3)
    assert np.diff(moved, 2).max() / STEP**2 == pytest.approx(5.7735 / 4.0, rel=1e-2)


def test_move_keeps_requested_duration_unless_limits_require_longer() -> None:
    goal = BodyPose(head_transform(yaw=1.0))
    assert PoseMove(resting(np.zeros(9)), goal, 3.0).duration == 3.0
    hurried = track(PoseMove(resting(np.zeros(9)), goal, 0.01))
    assert (np.abs(np.diff(hurried, axis=0)).max(axis=0) / STEP <= SPEED * 1.001).all()


def test_move_starts_with_present_velocity() -> None:
    velocity = np.zeros(9)
    velocity[6] = 1.0
    moved = track(PoseMove(MotionState(np.zeros(9), velocity), BodyPose(body_yaw=-0.5)))[:, 6]
    assert (moved[1] - moved[0]) / STEP == pytest.approx(1.0, abs=0.02)
    assert moved[-1] == pytest.approx(-0.5)


def test_braking_is_smooth_and_within_limits() -> None:
    velocity = 0.9 * SPEED
    moved = track(stopping_move(MotionState(np.zeros(9), velocity)))
    assert np.allclose((moved[1] - moved[0]) / STEP, velocity, rtol=0.05)
    assert np.allclose(moved[-1], moved[-2])
    assert (np.abs(np.diff(moved, 2, axis=0)).max(axis=0) / STEP**2 <= ACCELERATION * 1.05).all()


def test_braking_ends_within_envelope() -> None:
    at_limit = MotionState(HIGH.copy(), SPEED)
    move = stopping_move(at_limit)
    assert (coordinates(move.at(move.duration)) <= HIGH + 1e-9).all()


def pairs(count: int) -> list[tuple[Vector, Vector]]:
    """Returns pairs of a start and a goal in the workspace. The straight path between them leaves the workspace."""
    generator, found = np.random.default_rng(4), []
    while len(found) < count:
        start, goal = (WORKSPACE.nearest(generator.uniform(LOW, HIGH)) for _ in range(2))
        if not all(WORKSPACE.holds(start + share * (goal - start)) for share in np.linspace(0.0, 1.0, 17)):
            found.append((start, goal))
    return found


def test_path_without_obstacle_is_straight() -> None:
    goal = BodyPose(head_transform(pitch=0.2, yaw=0.3), body_yaw=0.1)
    way = route(BodyPose(), goal, WORKSPACE)
    assert way.via is None
    assert way.goal is goal


def test_detour_stays_inside_workspace_and_ends_at_rest_at_goal() -> None:
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


def test_detour_has_requested_duration_but_not_less_than_minimum() -> None:
    ((start, goal),) = pairs(1)
    way = route(posture(start), posture(goal), WORKSPACE)
    assert way.via is not None
    assert way.move(MotionState(start, np.zeros(9)), 4.0).duration == pytest.approx(4.0)
    assert way.move(MotionState(start, np.zeros(9)), 0.01).duration >= way.fastest(posture(start)) - 1e-9


LOW_HEAD = np.array([-0.007, 0.0, -0.035, 0.0, 0.2143, 0.0, 0.0, -2.4976, 2.4976])
SINKING = np.array([-0.0023, 0.0, -0.0157, 0.0, 0.0709, 0.0, 0.0, -1.5092, 1.5092])
ASIDE = np.array([0.0, 0.0, 0.0, 0.0, 0.3, 0.3641, 0.5359, 0.0, 0.0])


def is_inside(move: Move) -> bool:
    moments = np.linspace(0.0, move.duration, 200)
    return WORKSPACE.holds_all(np.array([coordinates(move.at(moment)) for moment in moments]))


def test_path_close_to_shell_takes_detour_although_it_is_free() -> None:
    steps = np.linspace(0.0, 1.0, 257)[:, None]
    assert WORKSPACE.holds_all(LOW_HEAD + steps * (ASIDE - LOW_HEAD))
    way = route(posture(LOW_HEAD), posture(ASIDE), WORKSPACE)
    assert way.via is not None
    assert is_inside(way.move(resting(LOW_HEAD)))


def test_moving_robot_stops_first_if_its_velocity_would_bend_path_out_of_workspace() -> None:
    state, straight = MotionState(LOW_HEAD, SINKING), Route(posture(ASIDE), WORKSPACE)
    assert not is_inside(PoseMove(state, posture(ASIDE)))
    move = straight.move(state)
    assert is_inside(move)
    assert np.allclose(coordinates(move.at(move.duration)), ASIDE, atol=1e-9)
