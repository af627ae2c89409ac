"""Tests of the motion loop in real time, with a simulated robot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.loop import MotionLoop, PeriodStatistics
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.robot.protocol import Measurement, MotorMode
from reachy_agent_ros.robot.target_validation import Target
from support.waiting import wait_until


class LooseCable(MujocoRobot):
    """Simulated robot whose connection the test can interrupt."""

    plugged = True

    def connect(self) -> None:
        if not self.plugged:
            raise AgentError(ErrorCode.ROBOT_DISCONNECTED, "the cable is out")
        super().connect()

    def measure(self) -> Measurement:
        if not self.plugged:
            raise AgentError(ErrorCode.ROBOT_DISCONNECTED, "the cable is out")
        return super().measure()


class Rig:
    def __init__(self) -> None:
        self.robot = LooseCable()
        self.controller = MotionController()
        self.loop = MotionLoop(self.robot, self.controller)
        self.endings: list[AgentError | None] = []
        self.loop.start()

    @property
    def pose(self) -> BodyPose:
        assert self.controller.measurement is not None
        return self.controller.measurement.pose

    def connected(self) -> bool:
        return self.controller.measurement is not None

    def play(self, target: Target) -> None:
        self.controller.execute(target, "test", self.endings.append)


@pytest.fixture(scope="module")
def running() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.loop.close()


@pytest.fixture
def rig(running: Rig) -> Rig:
    running.endings.clear()
    wait_until(running.connected, "the simulation to start")
    return running


@pytest.mark.slow
def test_motion_loop_turns_simulated_body(rig: Rig) -> None:
    rig.play(Target(body_yaw=0.8))
    wait_until(lambda: bool(rig.endings), "the motion to end")
    assert rig.endings == [None]
    assert rig.pose.body_yaw == pytest.approx(0.8, abs=0.08)


def test_submitted_task_runs_in_loop_thread(rig: Rig) -> None:
    rig.loop.submit(lambda robot: robot.set_motor_mode(MotorMode.DISABLED)).result(5.0)
    wait_until(lambda: rig.controller.measurement.motor_mode is MotorMode.DISABLED, "the motors to be off")
    with pytest.raises(AgentError) as refused:
        rig.play(Target(body_yaw=0.0))
    assert refused.value.code is ErrorCode.MOTORS_OFF
    rig.loop.submit(lambda robot: robot.set_motor_mode(MotorMode.ENABLED)).result(5.0)
    wait_until(lambda: rig.controller.measurement.motor_mode is MotorMode.ENABLED, "the motors to be on")


def test_failing_task_raises_exception_from_future(rig: Rig) -> None:
    with pytest.raises(AgentError) as refused:
        rig.loop.submit(lambda robot: robot.command(BodyPose(head_transform(z=0.2)))).result(5.0)
    assert refused.value.code is ErrorCode.UNREACHABLE


@pytest.mark.slow
def test_lost_connection_fails_motion_and_is_reestablished(rig: Rig) -> None:
    rig.play(Target(body_yaw=-1.5))
    rig.robot.plugged = False
    wait_until(lambda: bool(rig.endings), "the motion to fail")
    assert [ending.code for ending in rig.endings if ending] == [ErrorCode.ROBOT_DISCONNECTED]
    assert rig.loop.connection.error is not None
    with pytest.raises(AgentError) as refused:
        rig.loop.submit(lambda robot: None).result(5.0)
    assert refused.value.code is ErrorCode.ROBOT_DISCONNECTED
    turned = rig.loop.statistics.count
    wait_until(lambda: rig.loop.statistics.count > turned + 20, "the loop to go on without a robot")
    rig.robot.plugged = True
    wait_until(rig.connected, "the robot to be found again")
    rig.endings.clear()
    rig.play(Target(body_yaw=0.3))
    wait_until(lambda: bool(rig.endings), "the motion to end")
    assert rig.endings == [None]


def test_period_statistics_are_zero_before_first_period() -> None:
    assert PeriodStatistics(0.01).punctuality().worst == 0.0


def test_period_statistics_distinguish_median_from_maximum() -> None:
    statistics = PeriodStatistics(0.01)
    for _ in range(99):
        statistics.add(0.011)
    statistics.add(0.03)
    late = statistics.punctuality()
    assert (late.p50, late.worst) == pytest.approx((0.001, 0.02))


def test_period_statistics_cover_only_time_window() -> None:
    statistics = PeriodStatistics(0.01, window=10)
    for period in [0.5] * 10 + [0.01] * 10:
        statistics.add(period)
    assert statistics.punctuality().worst == 0.0
    assert statistics.count == 20
