from __future__ import annotations

import threading

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.robot.connection import Connection
from reachy_agent_ros.robot.protocol import Measurement, MotorMode
from support.waiting import wait_until

LOST = AgentError(ErrorCode.ROBOT_DISCONNECTED, "nobody answers")


class SlowRobot:
    """Robot whose connection attempt ends only when the test sets `answers`."""

    name = "slow"
    simulated = True

    def __init__(self) -> None:
        self.answers = threading.Event()
        self.refuses = False
        self.closed = False

    def connect(self) -> None:
        self.answers.wait(10.0)
        if self.refuses:
            raise LOST

    def command(self, pose: BodyPose) -> None: ...

    def measure(self) -> Measurement:
        return Measurement(0.0, BodyPose(), {})

    def set_motor_mode(self, mode: MotorMode) -> None: ...

    def close(self) -> None:
        self.closed = True


def test_connection_status_does_not_block_while_connecting() -> None:
    robot = SlowRobot()
    connection = Connection(robot)
    assert not connection.established()
    assert connection.error is not None
    robot.answers.set()
    wait_until(connection.established, "the connection")
    assert connection.error is None
    connection.close(1.0)
    assert robot.closed


def test_retries_connection_until_it_succeeds() -> None:
    robot = SlowRobot()
    robot.answers.set()
    robot.refuses = True
    connection = Connection(robot)
    wait_until(lambda: connection.established() or connection.attempts >= 2, "a second attempt")
    assert connection.error is LOST
    robot.refuses = False
    wait_until(connection.established, "the connection")


def test_connection_is_restored_after_loss() -> None:
    robot = SlowRobot()
    robot.answers.set()
    connection = Connection(robot)
    wait_until(connection.established, "the connection")
    connection.lose(LOST)
    assert (connection.error, connection.losses) == (LOST, 1)
    assert not connection.established()
    wait_until(connection.established, "the connection to come back")
