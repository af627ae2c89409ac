import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.coordinates import posture
from reachy_agent_ros.robot.gate import LONGEST_STEP, SafetyGate
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED

PERIOD = 0.01
wishes = st.builds(posture, st.tuples(*(st.floats(3 * low, 3 * high) for low, high in zip(LOW, HIGH, strict=True))))


def watched(*commands: BodyPose | None, stopped: bool = False) -> CommandWatch:
    watch = CommandWatch()
    for command in commands:
        watch.see(command, PERIOD, stopped)
    return watch


def turned(yaw: float) -> BodyPose:
    return BodyPose(head_transform(0.0, 0.0, yaw))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.none() | wishes, st.floats(2e-4, LONGEST_STEP)), min_size=1, max_size=40))
def test_commands_of_safety_gate_cause_no_violations(sequence: list[tuple[BodyPose | None, float]]) -> None:
    gate, watch, pose = SafetyGate(), CommandWatch(), BodyPose()
    gate.reset(pose)
    watch.see(pose, PERIOD, stopped=False)
    for wanted, dt in sequence:
        pose = gate.step(wanted, pose, dt)
        watch.see(pose, dt, stopped=False)
    assert (watch.violations, watch.jumps) == (0, 0)
    assert watch.acceleration <= 1.0


def test_commanded_posture_outside_envelope_counts_as_violation() -> None:
    assert watched(BodyPose(body_yaw=float(HIGH[6]) + 0.1)).violations == 1


def test_non_finite_posture_counts_as_violation() -> None:
    assert watched(BodyPose(np.full((4, 4), np.nan))).violations == 1


def test_large_step_counts_as_jump_and_violation() -> None:
    leap = 2.0 * float(SPEED[5]) * PERIOD
    watch = watched(turned(0.0), turned(leap))
    assert (watch.violations, watch.jumps) == (1, 1)
    assert watch.acceleration > 1.0


def test_small_step_from_rest_counts_as_jump_only() -> None:
    watch = watched(turned(0.0), turned(0.5 * float(SPEED[5]) * PERIOD))
    assert (watch.violations, watch.jumps) == (0, 1)


def test_step_back_at_emergency_stop_does_not_count_as_jump() -> None:
    watch = watched(turned(0.0))
    watch.see(turned(0.02), PERIOD, stopped=True)
    watch.see(turned(0.02), PERIOD, stopped=False)
    assert (watch.violations, watch.jumps) == (0, 0)


def test_first_posture_after_disabled_motors_does_not_count_as_violation() -> None:
    assert watched(turned(0.0), None, turned(0.3)).jumps == 0


def test_first_posture_after_reconnection_does_not_count_as_violation() -> None:
    watch = watched(turned(0.0))
    watch.forget()
    watch.see(turned(0.3), PERIOD, stopped=False)
    assert watch.jumps == 0


def test_posture_below_envelope_counts_as_violation() -> None:
    assert watched(BodyPose(body_yaw=float(LOW[6]) - 0.1)).violations == 1


def test_posture_out_of_reach_counts_as_violation() -> None:
    assert watched(BodyPose(head_transform(roll=0.69, pitch=0.69))).violations == 1


def test_long_control_period_is_limited_to_longest_step() -> None:
    watch = watched(turned(0.0))
    watch.see(turned(float(SPEED[5]) * 0.1), 1.0, stopped=False)
    assert watch.violations == 1


def test_missing_command_with_disabled_motors_does_not_count_as_violation() -> None:
    watch = watched(None, None)
    assert (watch.violations, watch.jumps, watch.acceleration) == (0, 0, 0.0)


def test_watch_records_maximum_acceleration() -> None:
    step = 0.5 * float(ACCELERATION[5]) * PERIOD**2
    watch = watched(turned(0.0), turned(step), turned(2.0 * step))
    assert watch.acceleration == pytest.approx(0.5, abs=0.01)


def test_velocity_is_zero_after_emergency_stop() -> None:
    watch = watched(turned(0.0), turned(0.001))
    watch.see(turned(0.02), PERIOD, stopped=True)
    watch.see(turned(0.02 + 2.0 * float(ACCELERATION[5]) * PERIOD**2), PERIOD, stopped=False)
    assert watch.jumps == 1
