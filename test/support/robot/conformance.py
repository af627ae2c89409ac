"""Conformance tests for robot backends.

The test class of a backend inherits `RobotConformance` and provides `backend`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, angle_between, head_transform
from reachy_agent_ros.robot.description import urdf_path
from reachy_agent_ros.robot.kinematics import JOINTS, BodyKinematics
from reachy_agent_ros.robot.protocol import MotorMode, Robot
from support.robot.clocks import STEADY, Clock

REACH_TIMEOUT = 8.0
SETTLED_SAMPLES = 20


@dataclass(frozen=True)
class Tolerance:
    """Tolerance for a settled posture."""

    head_angle: float  # rad
    head_distance: float  # m
    antennas: float  # rad
    body_yaw: float  # rad

    def holds(self, measured: BodyPose, target: BodyPose) -> bool:
        return (
            angle_between(measured.head, target.head) <= self.head_angle
            and float(np.linalg.norm(measured.head[:3, 3] - target.head[:3, 3])) <= self.head_distance
            and abs(measured.antenna_right - target.antenna_right) <= self.antennas
            and abs(measured.antenna_left - target.antenna_left) <= self.antennas
            and abs(measured.body_yaw - target.body_yaw) <= self.body_yaw
        )


@dataclass(frozen=True)
class Backend:
    """Robot backend under test with its documented properties."""

    make: Callable[[], Robot]
    near: Tolerance  # for head poses up to 30 deg and 20 mm from neutral
    far: Tolerance  # for head poses up to the edge of the envelope
    modes: frozenset[MotorMode]
    simulated: bool = True
    clock: Clock = STEADY  # clock of the measurement timestamps


ROLLED = BodyPose(head_transform(roll=math.radians(20)))
PITCHED = BodyPose(head_transform(pitch=math.radians(20)))
TURNED = BodyPose(head_transform(yaw=math.radians(20)))
NEAR_POSES = {
    "shifted": BodyPose(head_transform(x=0.02, y=-0.01, z=-0.01)),
    "antennas": BodyPose(antenna_right=0.5, antenna_left=-0.7),
    "body": BodyPose(head_transform(yaw=0.5), body_yaw=0.5),
    "body under a still head": BodyPose(body_yaw=-0.5),
    "neutral": BodyPose(),
}
FAR_POSES = {
    "roll": BodyPose(head_transform(roll=math.radians(-40))),
    "pitch": BodyPose(head_transform(pitch=math.radians(40))),
    "yaw": BodyPose(head_transform(yaw=math.radians(60))),
    "body and antennas": BodyPose(head_transform(yaw=2.6), antenna_right=-3.0, antenna_left=3.0, body_yaw=2.6),
}
NOT_FINITE = (BodyPose(head_transform(yaw=math.nan)), BodyPose(antenna_left=math.inf), BodyPose(body_yaw=math.nan))


class RobotConformance:
    @pytest.fixture(scope="class")
    @classmethod
    def robot(cls, backend: Backend) -> Iterator[Robot]:
        robot = backend.make()
        robot.connect()
        yield robot
        robot.close()

    @pytest.fixture(autouse=True)
    def _ready(self, robot: Robot, backend: Backend) -> None:
        """Restores the robot after an earlier test: reconnects it and enables its motors."""
        try:
            robot.measure()
        except AgentError:
            robot.connect()
        robot.set_motor_mode(MotorMode.ENABLED)

    @pytest.mark.parametrize("pose", NEAR_POSES.values(), ids=NEAR_POSES)
    def test_robot_reaches_pose(self, robot: Robot, backend: Backend, pose: BodyPose) -> None:
        reach(robot, pose, backend.near, backend.clock)

    @pytest.mark.parametrize("pose", FAR_POSES.values(), ids=FAR_POSES)
    def test_robot_reaches_pose_at_edge_of_envelope(self, robot: Robot, backend: Backend, pose: BodyPose) -> None:
        reach(robot, pose, backend.far, backend.clock)

    def test_positive_roll_raises_left_side_of_head(self, robot: Robot, backend: Backend) -> None:
        head = reach(robot, ROLLED, backend.near, backend.clock).head
        assert head[2, 1] == pytest.approx(math.sin(math.radians(20)), abs=0.02)

    def test_positive_pitch_turns_head_down(self, robot: Robot, backend: Backend) -> None:
        head = reach(robot, PITCHED, backend.near, backend.clock).head
        assert head[2, 0] == pytest.approx(-math.sin(math.radians(20)), abs=0.02)

    def test_positive_yaw_turns_head_left(self, robot: Robot, backend: Backend) -> None:
        head = reach(robot, TURNED, backend.near, backend.clock).head
        assert head[1, 0] == pytest.approx(math.sin(math.radians(20)), abs=0.02)

    def test_unreachable_pose_raises_error_and_leaves_target_unchanged(self, robot: Robot, backend: Backend) -> None:
        pose = TURNED
        reach(robot, pose, backend.near, backend.clock)
        with pytest.raises(AgentError) as raised:
            robot.command(BodyPose(head_transform(z=0.1)))
        assert raised.value.code is ErrorCode.UNREACHABLE
        assert_held(robot, pose, backend.near, backend.clock)

    def test_robot_backend_rejects_pose_with_non_finite_values(self, robot: Robot, backend: Backend) -> None:
        reach(robot, BodyPose(), backend.near, backend.clock)
        for pose in NOT_FINITE:
            with pytest.raises(AgentError) as raised:
                robot.command(pose)
            assert raised.value.code is ErrorCode.NOT_FINITE
        assert_held(robot, BodyPose(), backend.near, backend.clock)

    def test_measured_head_pose_is_a_rigid_transform(self, robot: Robot) -> None:
        rotation = robot.measure().pose.head[:3, :3]
        assert rotation @ rotation.T == pytest.approx(np.eye(3), abs=1e-9)

    def test_measurement_timestamps_advance_on_backend_clock(self, robot: Robot, backend: Backend) -> None:
        first = robot.measure().time
        backend.clock.wait_until(lambda: robot.measure().time > first, 1.0, "a newer measurement")
        before = backend.clock()
        stamp = robot.measure().time
        assert before - 0.5 <= stamp <= backend.clock()

    def test_measured_joints_have_urdf_names(self, robot: Robot) -> None:
        names = {joint.get("name") for joint in ElementTree.parse(urdf_path()).getroot().iter("joint")}
        joints = robot.measure().joints
        assert set(JOINTS) <= set(joints) <= names

    def test_measured_joints_match_measured_pose(self, robot: Robot, backend: Backend) -> None:
        reach(robot, NEAR_POSES["antennas"], backend.near, backend.clock)
        measurement = robot.measure()
        told = BodyKinematics().forward(np.array([measurement.joints[name] for name in JOINTS]))
        assert CONSISTENT.holds(told, measurement.pose)

    def test_robot_backend_accepts_only_documented_motor_modes(self, robot: Robot, backend: Backend) -> None:
        for mode in MotorMode:
            if mode in backend.modes:
                robot.set_motor_mode(mode)
                assert robot.measure().motor_mode is mode
            else:
                before = robot.measure().motor_mode
                with pytest.raises(AgentError) as raised:
                    robot.set_motor_mode(mode)
                assert raised.value.code is ErrorCode.INVALID_GOAL
                assert robot.measure().motor_mode is before

    def test_backend_reports_whether_it_is_simulated(self, robot: Robot, backend: Backend) -> None:
        assert robot.simulated is backend.simulated

    def test_robot_backend_rejects_calls_before_connection(self, backend: Backend) -> None:
        robot = backend.make()
        for call in (robot.measure, lambda: robot.command(BodyPose()), lambda: robot.set_motor_mode(MotorMode.ENABLED)):
            with pytest.raises(AgentError) as raised:
                call()
            assert raised.value.code is ErrorCode.ROBOT_DISCONNECTED

    def test_robot_backend_can_be_closed_twice_and_reconnected(self, robot: Robot, backend: Backend) -> None:
        robot.close()
        robot.close()
        with pytest.raises(AgentError) as raised:
            robot.measure()
        assert raised.value.code is ErrorCode.ROBOT_DISCONNECTED
        robot.connect()
        reach(robot, PITCHED, backend.near, backend.clock)


class DisablingConformance(RobotConformance):
    """Conformance tests for a robot backend that can disable its motors."""

    def test_disabled_motors_reject_targets_and_hold_present_pose_when_enabled(
        self, robot: Robot, backend: Backend
    ) -> None:
        reach(robot, TURNED, backend.near, backend.clock)
        robot.set_motor_mode(MotorMode.DISABLED)
        with pytest.raises(AgentError) as raised:
            robot.command(BodyPose())
        assert raised.value.code is ErrorCode.MOTORS_OFF
        found = robot.measure().pose
        robot.set_motor_mode(MotorMode.ENABLED)
        assert_held(robot, found, backend.near, backend.clock)


CONSISTENT = Tolerance(head_angle=math.radians(0.3), head_distance=0.0003, antennas=1e-9, body_yaw=1e-9)
"""Tolerance between the joints and the head pose of a measurement. They differ because the simulated arms are
compliant, and because the daemon's forward kinematics stops early."""


def reach(robot: Robot, pose: BodyPose, tolerance: Tolerance, clock: Clock = STEADY) -> BodyPose:
    """Commands `pose` at about 100 Hz until the measured pose has settled, and returns the measured pose.

    Disconnections are tolerated, because a daemon that gets no CPU time for 0.5 s counts as disconnected.
    """
    settled = 0

    def is_settled() -> bool:
        nonlocal settled
        try:
            robot.command(pose)
            settled = settled + 1 if tolerance.holds(robot.measure().pose, pose) else 0
        except AgentError as error:
            if error.code is not ErrorCode.ROBOT_DISCONNECTED:
                raise
            settled = 0
        return settled >= SETTLED_SAMPLES

    clock.wait_until(is_settled, REACH_TIMEOUT, "the pose to be reached")
    return robot.measure().pose


def assert_held(robot: Robot, pose: BodyPose, tolerance: Tolerance, clock: Clock) -> None:
    """Asserts that the robot stays at `pose` for `SETTLED_SAMPLES` measurements."""
    for _ in range(SETTLED_SAMPLES):
        previous = robot.measure()
        assert tolerance.holds(previous.pose, pose)
        clock.wait_until(lambda before=previous.time: robot.measure().time > before, 1.0, "a newer measurement")
