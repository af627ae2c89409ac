import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, head_transform
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.gate import LONGEST_STEP, SafetyGate
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LEAD, LOW, SPEED
from reachy_agent_ros.robot.target_validation import Target
from reachy_agent_ros.robot.workspace import Workspace

ROUNDING = 1e-9
OUTERMOST = Workspace.outermost()
PERIOD = 0.01

anything = st.one_of(st.floats(), st.floats(-4.0, 4.0), st.sampled_from([0.0, 1e300, -1e300]))
any_pose = st.builds(
    lambda head, right, left, yaw: BodyPose(np.array(head).reshape(4, 4), right, left, yaw),
    st.lists(anything, min_size=16, max_size=16),
    *(anything, anything, anything),
)
wishes = st.builds(posture, st.tuples(*(st.floats(3 * low, 3 * high) for low, high in zip(LOW, HIGH, strict=True))))
any_wish = st.one_of(st.none(), any_pose, wishes, wishes)
jitter = st.floats(1e-4, LONGEST_STEP)


def gate_at(pose: BodyPose) -> SafetyGate:
    gate = SafetyGate()
    gate.reset(pose)
    return gate


def settled(gate: SafetyGate, wanted: BodyPose | None, start: BodyPose, steps: int = 500) -> BodyPose:
    """Returns the final posture of a robot that immediately reaches each command of the gate."""
    pose = start
    for _ in range(steps):
        pose = gate.step(wanted, pose, PERIOD)
    return pose


def reachable(pose: BodyPose) -> bool:
    try:
        BodyKinematics().inverse(pose)
    except AgentError:
        return False
    return True


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(any_wish, jitter), min_size=1, max_size=60))
def test_commands_stay_within_envelope_and_speed_limits(sequence: list[tuple[BodyPose | None, float]]) -> None:
    gate, pose = gate_at(BodyPose()), BodyPose()
    position, velocity = coordinates(pose), np.zeros(9)
    for wanted, dt in sequence:
        pose = gate.step(wanted, pose, dt)
        moved = coordinates(pose)
        speed = (moved - position) / dt
        assert np.isfinite(moved).all()
        assert (moved >= LOW - ROUNDING).all()
        assert (moved <= HIGH + ROUNDING).all()
        assert (np.abs(speed) <= SPEED + 1e-6).all()
        assert (np.abs(speed - velocity) <= ACCELERATION * dt + 1e-6).all()
        assert OUTERMOST.contains(pose)
        position, velocity = moved, speed


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(any_wish, any_pose, st.floats()), max_size=30))
def test_gate_command_is_valid_for_any_measurement_and_period(
    sequence: list[tuple[BodyPose | None, BodyPose, float]],
) -> None:
    gate = gate_at(BodyPose())
    for wanted, measured, dt in sequence:
        moved = coordinates(gate.step(wanted, measured, dt))
        assert ((moved >= LOW - ROUNDING) & (moved <= HIGH + ROUNDING)).all()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(*[st.lists(anything, min_size=9, max_size=9).map(np.array)] * 2, st.floats()), max_size=30))
def test_gate_command_is_valid_for_any_coordinates(sequence: list[tuple[np.ndarray, np.ndarray, float]]) -> None:
    gate = gate_at(BodyPose())
    for goal, measured, dt in sequence:
        moved = coordinates(gate.pursue(goal, measured, dt))
        assert ((moved >= LOW - ROUNDING) & (moved <= HIGH + ROUNDING)).all()


@settings(max_examples=100, deadline=None)
@given(st.lists(wishes, min_size=5, max_size=40))
def test_command_stays_close_to_robot_held_by_hand(sequence: list[BodyPose]) -> None:
    gate, held = gate_at(BodyPose()), BodyPose()
    for wanted in sequence * 5:
        ahead = np.abs(coordinates(gate.step(wanted, held, PERIOD)) - coordinates(held))
        assert (ahead <= LEAD + SPEED**2 / (2 * ACCELERATION)).all()


@settings(max_examples=100, deadline=None)
@given(st.lists(wishes, min_size=1, max_size=40), wishes)
def test_emergency_stop_holds_measured_posture_from_next_step(before: list[BodyPose], after: BodyPose) -> None:
    gate = gate_at(BodyPose())
    measured = lagging = BodyPose()
    for wanted in before:
        lagging, measured = measured, gate.step(wanted, measured, PERIOD)
    gate.stop("a person said stop")
    first = coordinates(gate.step(after, lagging, PERIOD))
    assert np.allclose(first, coordinates(lagging), atol=1e-9)
    for _ in range(5):
        assert np.allclose(coordinates(gate.step(after, measured, PERIOD)), first, atol=1e-12)


@settings(max_examples=50, deadline=None)
@given(wishes)
def test_motion_resumes_without_jump_after_reset_of_stop(wanted: BodyPose) -> None:
    gate = gate_at(BodyPose())
    held = settled(gate, wanted, BodyPose(), steps=20)
    gate.stop("test")
    held = gate.step(wanted, held, PERIOD)
    gate.release()
    step = np.abs(coordinates(gate.step(wanted, held, PERIOD)) - coordinates(held))
    assert (step <= ACCELERATION * PERIOD**2 + ROUNDING).all()


def test_gate_starts_from_nearest_reachable_posture_if_robot_sleeps() -> None:
    asleep = BodyPose(head_transform(pitch=math.radians(30.8), x=-0.0152, z=-0.0501))
    assert not reachable(asleep)
    gate = gate_at(asleep)
    held = gate.step(None, asleep, PERIOD)
    assert reachable(held)
    assert np.allclose(coordinates(held), coordinates(asleep), atol=0.01)
    assert np.allclose(coordinates(settled(gate, BodyPose(), held)), 0.0, atol=1e-6)


def test_emergency_stop_outside_reach_holds_nearest_reachable_posture() -> None:
    gate = gate_at(BodyPose())
    gate.stop("test")
    twisted = BodyPose(head_transform(roll=0.69, pitch=0.69, z=0.02))
    assert not reachable(twisted)
    held = gate.step(None, twisted, PERIOD)
    assert reachable(held)
    assert coordinates(held)[3] > 0.3


@pytest.mark.parametrize("period", [PERIOD, 0.004, 0.037, LONGEST_STEP])
@pytest.mark.parametrize(
    ("first", "second", "durations"),
    [
        (
            [-0.0188, -0.0243, 0.0073, -0.1492, -0.176, 0.5523],
            [0.0108, -0.0088, -0.0149, -0.3385, -0.1819, 0.1433],
            (0.12, 0.12),
        ),
        (
            [-0.0023, 0.0249, -0.0176, -0.2542, -0.0842, 0.3142],
            [-0.0302, -0.0267, -0.0077, 0.0971, 0.0481, 0.2402],
            (0.26, 0.31),
        ),
    ],
)
def test_braking_between_reachable_postures_keeps_acceleration_limit(
    first: list[float], second: list[float], durations: tuple[float, float], period: float
) -> None:
    """Moves between postures from which the robot could not brake smoothly if it moved at full speed.

    It would have to stop abruptly to stay within the reach of the arms.
    """
    gate, watch, pose = gate_at(BodyPose()), CommandWatch(), BodyPose()
    watch.see(pose, period, stopped=False)
    goals = [posture(np.array([*values, 0.0, 0.0, 0.0])) for values in (first, second)]
    assert all(map(gate.workspace.contains, goals))
    for _ in range(10):
        for wanted, duration in zip(goals, durations, strict=True):
            for _ in range(round(duration / period)):
                pose = gate.step(wanted, pose, period)
                watch.see(pose, period, stopped=False)
    assert (watch.violations, watch.jumps) == (0, 0)


def test_gate_reaches_reachable_goal() -> None:
    wanted = BodyPose(head_transform(pitch=0.3, yaw=0.8), 0.8, -0.8, 0.6)
    assert np.allclose(coordinates(settled(gate_at(BodyPose()), wanted, BodyPose())), coordinates(wanted), atol=1e-6)


@pytest.mark.parametrize(
    "head",
    [
        head_transform(0.1326, 0.5983, 0.1136, -0.0227, -0.0003, -0.0211),
        head_transform(-0.1697, -0.3981, 1.0723, 0.0077, -0.0439, -0.0027),
        head_transform(0.0894, 0.5097, 0.7325, -0.034, 0.01, -0.021),
    ],
)
def test_gate_reaches_admitted_pose_if_fastest_path_leaves_reach(head: Matrix) -> None:
    gate = gate_at(BodyPose())
    wanted = gate.admit(Target(head=head), BodyPose()).pose
    assert coordinates(settled(gate, wanted, BodyPose())) == pytest.approx(coordinates(wanted), abs=1e-6)


def test_gate_without_goal_brakes_and_holds() -> None:
    gate, pose = gate_at(BodyPose()), BodyPose()
    for _ in range(15):
        pose = gate.step(BodyPose(head_transform(yaw=1.0)), pose, PERIOD)
    assert gate.state.velocity[5] > 1.0
    held = settled(gate, None, pose)
    assert np.allclose(gate.state.velocity, 0.0)
    assert np.allclose(settled(gate, None, held).head, held.head)


def test_stopped_gate_rejects_targets_with_reason() -> None:
    gate = gate_at(BodyPose())
    gate.stop("too close")
    with pytest.raises(AgentError, match="too close") as refused:
        gate.admit(Target(body_yaw=0.1), BodyPose())
    assert refused.value.code is ErrorCode.EMERGENCY_STOPPED
    gate.release()
    assert math.isclose(gate.admit(Target(body_yaw=0.1), BodyPose()).pose.body_yaw, 0.1)


def test_emergency_stop_with_empty_reason_is_latched() -> None:
    gate = gate_at(BodyPose())
    gate.stop("")
    assert gate.stop_reason
    with pytest.raises(AgentError):
        gate.require_released()


def test_second_emergency_stop_holds_present_posture() -> None:
    gate = gate_at(BodyPose())
    gate.stop("first")
    gate.step(None, BodyPose(), PERIOD)
    gate.release()
    moved = settled(gate, BodyPose(body_yaw=0.5), BodyPose())
    gate.stop("second")
    assert gate.step(None, moved, PERIOD).body_yaw == pytest.approx(0.5, abs=1e-6)


def test_gate_step_after_stall_covers_at_most_50_ms() -> None:
    gate = gate_at(BodyPose())
    after_a_stall = gate.step(BodyPose(body_yaw=1.0), BodyPose(), 10.0)
    assert 0.0 < after_a_stall.body_yaw <= float(ACCELERATION[6]) * 0.05**2


@pytest.mark.parametrize("dt", [0.0, -1.0, math.nan, math.inf])
def test_gate_step_with_nonpositive_period_does_not_move_robot(dt: float) -> None:
    gate = gate_at(BodyPose())
    gate.step(BodyPose(body_yaw=1.0), BodyPose(), PERIOD)
    before = gate.state
    gate.step(BodyPose(body_yaw=1.0), BodyPose(), dt)
    assert gate.state is before


@pytest.mark.parametrize(
    ("index", "wish", "lead"), [(3, 0.7, 0.6), (5, 1.1, 0.6), (6, -2.0, -0.8), (7, 3.0, 1.5), (8, -3.0, -1.5)]
)
def test_command_deviates_from_held_robot_by_limited_distance(index: int, wish: float, lead: float) -> None:
    gate, wanted = gate_at(BodyPose()), np.zeros(9)
    wanted[index] = wish
    for _ in range(500):
        command = gate.step(posture(wanted), BodyPose(), PERIOD)
    assert coordinates(command)[index] == pytest.approx(lead, abs=1e-6)


def test_invalid_measurement_is_replaced_by_last_valid_measurement() -> None:
    gate = gate_at(BodyPose(body_yaw=0.3))
    gate.reset(BodyPose(body_yaw=math.nan))
    assert gate.step(None, BodyPose(body_yaw=math.inf), PERIOD).body_yaw == pytest.approx(0.3)


def test_gate_starts_at_neutral_without_measurement() -> None:
    unknown = BodyPose(body_yaw=math.nan)
    assert coordinates(SafetyGate().step(None, unknown, PERIOD)) == pytest.approx(0.0)
    moved = coordinates(SafetyGate().step(BodyPose(body_yaw=0.1), unknown, PERIOD))
    assert 0.0 < moved[6] <= ACCELERATION[6] * PERIOD**2 + ROUNDING
