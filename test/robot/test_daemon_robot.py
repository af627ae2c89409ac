from __future__ import annotations

import math
import socket
from collections.abc import Iterator
from urllib.request import Request, urlopen
from xml.etree import ElementTree

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.robot.daemon_robot import DaemonRobot
from reachy_agent_ros.robot.urdf import robot_description
from support.robot.conformance import PITCHED, Tolerance, reach
from support.robot.daemon_process import DaemonProcess, running
from support.robot.link_poses import link_poses
from support.robot.silent_route import silent_route
from support.waiting import wait_until

EXACT = Tolerance(head_angle=0.001, head_distance=0.0001, antennas=1e-6, body_yaw=1e-6)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaemonProcess]:
    with running(tmp_path_factory.mktemp("daemon"), "--mockup-sim") as daemon:
        yield daemon


@pytest.fixture
def robot(daemon: DaemonProcess) -> Iterator[DaemonRobot]:
    robot = DaemonRobot(daemon.url)
    robot.connect()
    yield robot
    robot.close()


def code_of_command(robot: DaemonRobot) -> ErrorCode:
    try:
        robot.command(BodyPose())
    except AgentError as error:
        return error.code
    return ErrorCode.NONE


def code_of_measure(robot: DaemonRobot) -> ErrorCode:
    try:
        robot.measure()
    except AgentError as error:
        return error.code
    return ErrorCode.NONE


@pytest.mark.daemon
def test_reports_target_that_daemon_ignores_during_its_own_move(robot: DaemonRobot, daemon: DaemonProcess) -> None:
    urlopen(Request(f"{daemon.url}/api/move/play/wake_up", method="POST")).close()
    wait_until(lambda: code_of_command(robot) is ErrorCode.MOTION_IGNORED, "the daemon to ignore targets")
    wait_until(lambda: code_of_command(robot) is ErrorCode.NONE, "the daemon to listen again")
    reach(robot, PITCHED, EXACT)


@pytest.mark.daemon
def test_regains_control_from_another_client(robot: DaemonRobot, daemon: DaemonProcess) -> None:
    reach(robot, PITCHED, EXACT)
    other = DaemonRobot(daemon.url)
    other.connect()
    reach(other, BodyPose(), EXACT)
    other.close()
    assert EXACT.holds(reach(robot, PITCHED, EXACT), PITCHED)


@pytest.mark.daemon
def test_robot_reconnects_after_daemon_is_killed_and_restarted(robot: DaemonRobot, daemon: DaemonProcess) -> None:
    reach(robot, PITCHED, EXACT)
    daemon.kill()
    wait_until(lambda: code_of_measure(robot) is ErrorCode.ROBOT_DISCONNECTED, "the loss to be told")
    wait_until(lambda: code_of_command(robot) is ErrorCode.ROBOT_DISCONNECTED, "the lost target to be told")
    with pytest.raises(AgentError) as raised:
        robot.connect()
    assert raised.value.code is ErrorCode.ROBOT_DISCONNECTED
    daemon.start()
    robot.connect()
    reach(robot, PITCHED, EXACT)


@pytest.mark.daemon
def test_late_response_to_target_does_not_end_motion(daemon: DaemonProcess) -> None:
    with silent_route(daemon.url, "POST /api/move/set_target") as route:
        robot = DaemonRobot(route.url)
        robot.connect()
        while len(route.unanswered) < 3:  # the third request follows the end of the second
            assert code_of_command(robot) is ErrorCode.NONE
        robot.close()


def test_connection_error_names_closed_port() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(AgentError, match=url) as raised:
            DaemonRobot(url).connect()
    assert raised.value.code is ErrorCode.ROBOT_DISCONNECTED


def test_connection_to_unresponsive_server_times_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        robot = DaemonRobot(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(AgentError) as raised:
            robot.connect()
    assert raised.value.code is ErrorCode.ROBOT_DISCONNECTED


@pytest.mark.parametrize("url", ["", "localhost:8000", "https://robot:8000", "http://robot:many", "http://robot/api"])
def test_rejects_invalid_daemon_url(url: str) -> None:
    with pytest.raises(AgentError) as raised:
        DaemonRobot(url).connect()
    assert raised.value.code is ErrorCode.INVALID_GOAL


@pytest.mark.daemon
def test_computed_rod_poses_connect_arms_to_head(robot: DaemonRobot) -> None:
    reach(robot, PITCHED, EXACT)
    measured = robot.measure()
    poses = link_poses(ElementTree.fromstring(robot_description()), measured.joints, measured.pose.head)
    for arm in range(1, 6):
        assert math.dist(poses[f"closing_{arm}_1"][:3, 3], poses[f"closing_{arm}_2"][:3, 3]) < 0.001
