"""Tests with invalid messages on the daemon's WebSocket, and with messages of other daemon versions."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

import pytest
from websockets.sync.server import ServerConnection, serve

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.daemon_socket import DaemonSocket
from reachy_agent_ros.robot.protocol import MotorMode
from support.waiting import wait_until

JOINTS = {"type": "joint_positions", "head_joint_positions": [0.0] * 7, "antennas_joint_positions": [0.0, 0.0]}
UPRIGHT = [float(row == column) for row in range(4) for column in range(4)]
HEAD = {"type": "head_pose", "head_pose": UPRIGHT}


@contextmanager
def sending(messages: Sequence[str]) -> Iterator[DaemonSocket]:
    """Runs a fake daemon that sends `messages` and ignores all messages that it receives."""

    def talk(connection: ServerConnection) -> None:
        for message in messages:
            connection.send(message)
        for _ in connection:
            """Ignores the targets that the client sends."""

    with serve(talk, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.socket.getsockname()[1]
        with closing(DaemonSocket(f"http://127.0.0.1:{port}", MotorMode.ENABLED)) as socket:
            yield socket
        server.shutdown()


def complaint(socket: DaemonSocket) -> str:
    with pytest.raises(AgentError) as caught:
        socket.latest()
    assert caught.value.code is ErrorCode.ROBOT_DISCONNECTED
    return caught.value.message


def test_joint_and_head_messages_are_combined_into_measurement() -> None:
    with sending([json.dumps(JOINTS), json.dumps(HEAD)]) as socket:
        socket.wait(10.0)
        measured = socket.latest()
    assert measured.motor_mode is MotorMode.ENABLED
    assert measured.pose.head[:3, 3] == pytest.approx(0.0)


@pytest.mark.parametrize(
    "message",
    [
        "garbage",
        "[]",
        "[" * 100_000,
        "{}",
        json.dumps({"type": "joint_positions", "head_joint_positions": [0.0]}),
        json.dumps({**JOINTS, "head_joint_positions": [0.0] * 6}),
        json.dumps({**JOINTS, "head_joint_positions": None}),
        json.dumps({**JOINTS, "antennas_joint_positions": [10**400, 0]}),
        json.dumps({"type": "imu_data", "quaternion": [1.0]}),
        json.dumps({"type": "daemon_status", "error": None, "backend_status": {"motor_control_mode": 3}}),
        json.dumps({"type": "daemon_status", "error": None, "backend_status": {"motor_control_mode": "odd"}}),
    ],
    ids=lambda message: message[:60],
)
def test_invalid_message_ends_connection_with_reason(message: str) -> None:
    with sending([message]) as socket:
        wait_until(lambda: "invalid message" in complaint(socket), "the socket to give up")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_ignores_robot_state_with_non_finite_numbers(number: str) -> None:
    with sending([json.dumps(JOINTS), json.dumps(HEAD).replace("1.0", number, 1), '{"type": "imu_data"}']) as socket:
        wait_until(lambda: "invalid message" in complaint(socket), "the socket to read all of it")
    assert socket._latest is None


def test_ignores_unknown_message_types() -> None:
    with sending(['{"type": "weather"}', json.dumps(JOINTS), json.dumps(HEAD)]) as socket:
        socket.wait(10.0)
        assert socket.latest().joints


def test_reports_daemon_error() -> None:
    status = {"type": "daemon_status", "error": "the motors are too hot", "backend_status": None}
    with sending([json.dumps(status)]) as socket:
        wait_until(lambda: "the motors are too hot" in complaint(socket), "the error to arrive")
