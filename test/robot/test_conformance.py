from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from reachy_agent_ros.robot.daemon_robot import DaemonRobot
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.robot.protocol import MotorMode
from support.robot.clocks import SteppedClock
from support.robot.conformance import Backend, DisablingConformance, RobotConformance, Tolerance
from support.robot.daemon_process import running

# Measured head error because of joint friction: up to 0.43 deg and 0.36 mm; at the edge of reach 2.4 deg and 1.2 mm.
PHYSICS_NEAR = Tolerance(head_angle=math.radians(0.6), head_distance=0.0005, antennas=0.002, body_yaw=0.002)
PHYSICS_FAR = Tolerance(head_angle=math.radians(2.5), head_distance=0.0013, antennas=0.002, body_yaw=0.002)
# Measured error of the daemon's forward kinematics: 0.024 deg and 0.03 mm.
EXACT = Tolerance(head_angle=math.radians(0.03), head_distance=0.00005, antennas=1e-6, body_yaw=1e-6)


@pytest.mark.parametrize("backend", ["empty", "minimal"], indirect=True, scope="class")
class TestMujoco(DisablingConformance):
    @pytest.fixture(scope="class")
    @classmethod
    def backend(cls, request: pytest.FixtureRequest) -> Backend:
        clock = SteppedClock()
        robot = lambda: MujocoRobot(request.param, clock)  # noqa: E731
        return Backend(robot, PHYSICS_NEAR, PHYSICS_FAR, frozenset(MotorMode), clock=clock)


@pytest.mark.daemon
class TestDaemonSimulation(RobotConformance):
    @pytest.fixture(scope="class")
    @classmethod
    def backend(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
        with running(tmp_path_factory.mktemp("sim"), "--sim", "--headless") as daemon:
            yield Backend(lambda: DaemonRobot(daemon.url), PHYSICS_NEAR, PHYSICS_FAR, frozenset({MotorMode.ENABLED}))


@pytest.mark.daemon
class TestDaemonMockup(DisablingConformance):
    @pytest.fixture(scope="class")
    @classmethod
    def backend(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
        with running(tmp_path_factory.mktemp("mockup"), "--mockup-sim") as daemon:
            yield Backend(lambda: DaemonRobot(daemon.url), EXACT, EXACT, frozenset(MotorMode))
