from __future__ import annotations

import math

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, angle_between, head_transform
from reachy_agent_ros.robot.coordinates import HEAD_PITCH, coordinates
from reachy_agent_ros.robot.mujoco_robot import CATCH_UP_LIMIT, MujocoRobot
from reachy_agent_ros.robot.pose_limits import SPEED
from reachy_agent_ros.robot.protocol import MotorMode
from support.robot.clocks import SteppedClock

TIMESTEP = 0.002


@pytest.fixture(scope="module")
def clock() -> SteppedClock:
    return SteppedClock()


def connected(scene: str, clock: SteppedClock) -> MujocoRobot:
    robot = MujocoRobot(scene, clock)
    robot.connect()
    return robot


@pytest.fixture(scope="module")
def loaded(clock: SteppedClock) -> MujocoRobot:
    return connected("empty", clock)


@pytest.fixture
def robot(loaded: MujocoRobot) -> MujocoRobot:
    """Returns a simulated robot in its state after `connect`. The model is compiled only once for all tests."""
    loaded.rewind()
    return loaded


def run(robot: MujocoRobot, clock: SteppedClock, duration: float) -> None:
    """Runs the robot for a duration, in periods of 10 ms."""
    for _ in range(round(duration / 0.01)):
        clock.now += 0.01
        robot.measure()


def test_simulated_robot_starts_at_rest_in_neutral_pose(clock: SteppedClock) -> None:
    measurement = connected("empty", clock).measure()
    assert angle_between(measurement.pose.head, np.eye(4)) < math.radians(0.05)
    assert np.abs(measurement.pose.head[:3, 3]).max() < 0.0002
    assert max(abs(velocity) for velocity in measurement.joint_velocities.values()) < 0.001


def test_physics_follows_clock(robot: MujocoRobot, clock: SteppedClock) -> None:
    clock.now += 0.0505
    assert 0.0 <= clock.now - robot.measure().time <= TIMESTEP
    clock.now += 0.0009
    assert 0.0 <= clock.now - robot.measure().time <= TIMESTEP
    assert robot.dropped_time == 0.0


def test_simulated_motion_is_independent_of_call_rate(robot: MujocoRobot, clock: SteppedClock) -> None:
    heads = []
    for period in (0.005, 0.02):
        robot.rewind()
        robot.command(BodyPose(head_transform(yaw=0.3)))
        for _ in range(round(0.2 / period)):
            clock.now += period
            robot.measure()
        heads.append(robot.measure().pose.head)
    assert angle_between(*heads) < math.radians(0.5)


def test_simulation_limits_catch_up_after_stall_and_reports_dropped_time(
    robot: MujocoRobot, clock: SteppedClock
) -> None:
    robot.command(BodyPose(antenna_right=1.0))
    clock.now += 5.0
    measurement = robot.measure()
    assert robot.dropped_time == pytest.approx(5.0 - CATCH_UP_LIMIT)
    assert clock.now - measurement.time <= TIMESTEP
    assert measurement.pose.antenna_right < 0.99


def test_command_does_not_affect_time_before_it(robot: MujocoRobot, clock: SteppedClock) -> None:
    before = robot.measure().pose
    clock.now += 0.05
    robot.command(BodyPose(antenna_right=1.0))
    assert robot.measure().pose.antenna_right == pytest.approx(before.antenna_right, abs=1e-4)


def test_simulated_robot_measures_joint_velocities(robot: MujocoRobot, clock: SteppedClock) -> None:
    robot.command(BodyPose(antenna_right=1.0))
    run(robot, clock, 0.05)
    first = robot.measure()
    clock.now += TIMESTEP * 1.01
    second = robot.measure()
    difference = (second.joints["right_antenna"] - first.joints["right_antenna"]) / TIMESTEP
    assert difference == pytest.approx(second.joint_velocities["right_antenna"], rel=0.05)


def test_disabled_motors_release_joints(robot: MujocoRobot, clock: SteppedClock) -> None:
    robot.command(BodyPose(antenna_right=1.0))
    run(robot, clock, 0.03)
    robot.set_motor_mode(MotorMode.DISABLED)
    run(robot, clock, 1.0)
    assert robot.measure().pose.antenna_right < 0.9


LED = BodyPose(head_transform(yaw=0.4, pitch=-0.1), 0.5, -0.5, 0.3)


def lead(robot: MujocoRobot, clock: SteppedClock, pose: BodyPose, duration: float) -> list[BodyPose]:
    """Guides the robot by hand for `duration` seconds. Returns the measured poses, one every 10 ms."""
    seen = []
    for _ in range(round(duration / 0.01)):
        robot.lead(pose)
        run(robot, clock, 0.01)
        seen.append(robot.measure().pose)
    return seen


@pytest.mark.parametrize("mode", [MotorMode.DISABLED, MotorMode.GRAVITY_COMPENSATION])
def test_hand_moves_robot_with_disabled_motors(robot: MujocoRobot, clock: SteppedClock, mode: MotorMode) -> None:
    robot.set_motor_mode(mode)
    led = lead(robot, clock, LED, 3.0)
    assert angle_between(led[-1].head, LED.head) < math.radians(3.0)
    assert led[-1].body_yaw == pytest.approx(LED.body_yaw, abs=0.03)
    assert led[-1].antenna_right == pytest.approx(LED.antenna_right, abs=0.05)
    moved = np.diff([coordinates(pose) for pose in led], axis=0)
    assert (np.abs(moved).max(axis=0) / 0.01 <= 1.2 * SPEED).all()


def test_enabled_motors_hold_pose_set_by_hand(robot: MujocoRobot, clock: SteppedClock) -> None:
    robot.set_motor_mode(MotorMode.DISABLED)
    shown = lead(robot, clock, LED, 2.0)[-1]
    robot.set_motor_mode(MotorMode.ENABLED)
    run(robot, clock, 1.0)
    assert angle_between(robot.measure().pose.head, shown.head) < math.radians(1.0)


def test_gravity_compensated_robot_stays_after_hand_lets_go(robot: MujocoRobot, clock: SteppedClock) -> None:
    robot.set_motor_mode(MotorMode.GRAVITY_COMPENSATION)
    lead(robot, clock, LED, 2.0)
    run(robot, clock, 1.0)
    left = robot.measure().pose
    run(robot, clock, 3.0)
    assert angle_between(robot.measure().pose.head, left.head) < math.radians(0.5)


def test_hand_cannot_move_robot_with_enabled_motors(robot: MujocoRobot) -> None:
    with pytest.raises(AgentError) as refused:
        robot.lead(LED)
    assert refused.value.code is ErrorCode.INVALID_GOAL


def test_empty_scene_has_no_objects(robot: MujocoRobot) -> None:
    assert robot.measure().objects == {}


def test_table_supports_objects(clock: SteppedClock) -> None:
    robot = connected("minimal", clock)
    run(robot, clock, 1.0)
    objects = robot.measure().objects
    positions = {name: objects[name][:3, 3] for name in objects}
    assert positions["apple"] == pytest.approx([0.605, -0.212, 0.0], abs=0.005)
    assert positions["croissant"] == pytest.approx([0.619, 0.099, 0.0], abs=0.005)
    assert positions["duck"] == pytest.approx([0.600, 0.300, 0.0], abs=0.005)
    assert positions["table"] == pytest.approx([0.35, 0.0, -0.8])


def test_rejects_unknown_scene(clock: SteppedClock) -> None:
    with pytest.raises(AgentError) as raised:
        MujocoRobot("office", clock).connect()
    assert raised.value.code is ErrorCode.INVALID_GOAL


def test_rewind_restores_initial_state(clock: SteppedClock) -> None:
    robot = connected("empty", clock)
    began = robot.measure()
    robot.command(BodyPose(head_transform(yaw=0.4), antenna_left=1.0))
    run(robot, clock, 0.5)
    robot.set_motor_mode(MotorMode.GRAVITY_COMPENSATION)
    run(robot, clock, 0.5)
    robot.rewind()
    again = robot.measure()
    assert again.motor_mode is MotorMode.ENABLED
    assert again.joints == began.joints
    assert again.joint_velocities == began.joint_velocities
    run(robot, clock, 0.5)
    assert coordinates(robot.measure().pose) == pytest.approx(coordinates(began.pose), abs=1e-3)


def test_rewind_before_connect_is_rejected(clock: SteppedClock) -> None:
    with pytest.raises(AgentError, match="ROBOT_DISCONNECTED"):
        MujocoRobot("empty", clock).rewind()


def test_rewind_applies_and_resets_robot_properties(robot: MujocoRobot, clock: SteppedClock) -> None:
    reached = []
    for strength in (1.0, 0.6, 1.0):
        robot.rewind(strength=strength, friction=2.0 - strength, head_mass=2.0 - strength)
        robot.command(BodyPose(head_transform(pitch=0.3)))
        run(robot, clock, 0.2)
        reached.append(coordinates(robot.measure().pose)[HEAD_PITCH])
    assert reached[1] < reached[0] - 0.01
    assert reached[2] == pytest.approx(reached[0], abs=1e-9)


def test_push_turns_head_until_rewind(robot: MujocoRobot, clock: SteppedClock) -> None:
    robot.push(np.array([0.0, 0.5, 0.0]))
    run(robot, clock, 0.5)
    assert coordinates(robot.measure().pose)[HEAD_PITCH] > 0.01
    robot.rewind()
    run(robot, clock, 0.5)
    assert abs(coordinates(robot.measure().pose)[HEAD_PITCH]) < 0.001


def test_measures_overlap_of_head_and_body(robot: MujocoRobot, clock: SteppedClock) -> None:
    assert robot.overlap() == 0.0
    robot.command(BodyPose(head_transform(x=0.045, y=0.042, z=-0.05)))
    run(robot, clock, 1.0)
    assert robot.overlap() > 0.0001


def test_rejects_push_before_connect(clock: SteppedClock) -> None:
    with pytest.raises(AgentError, match="ROBOT_DISCONNECTED"):
        MujocoRobot("empty", clock).push(np.zeros(3))
