"""WebSocket client of the Reachy Mini daemon: receives states as measurements and sends targets."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from typing import Any

import numpy as np
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector, orthonormal
from reachy_agent_ros.core.url_host import url_host
from reachy_agent_ros.robot.daemon_api import daemon_address
from reachy_agent_ros.robot.kinematics import JOINTS
from reachy_agent_ros.robot.protocol import ImuSample, Measurement, MotorMode
from reachy_agent_ros.robot.rods import Rods

STALE_AFTER = 0.5
"""Age at which a measurement is outdated, s: 25 periods of the daemon's control loop."""

_OPEN_TIMEOUT = 2.0


class DaemonSocket:
    """WebSocket that sends targets and receives the states that the daemon publishes at 50 Hz.

    A separate thread receives the states.

    The control loop of the daemon writes to this socket, so silence means that the loop has stopped, even if the web
    server of the daemon still responds.

    Args:
        url: URL of the daemon, `http://HOST:PORT`.
        motor_mode: Present motor mode; the daemon reports it only once a second.

    Raises:
        AgentError: `ROBOT_DISCONNECTED`; `INVALID_GOAL` if the URL is invalid.
    """

    def __init__(self, url: str, motor_mode: MotorMode) -> None:
        self.motor_mode = motor_mode
        self._joints: Vector | None = None
        self._rods = Rods()
        self._imu: ImuSample | None = None
        self._latest: Measurement | None = None
        self._trouble = "none received"
        self._arrival = threading.Event()
        self._ended = threading.Event()
        self._socket = _open(url)
        self._thread = threading.Thread(target=self._receive, name="daemon-socket", daemon=True)
        self._thread.start()

    def wait(self, timeout: float) -> None:
        """Waits for the first measurement.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` if there is no measurement after `timeout` seconds.
        """
        self._arrival.wait(timeout)
        self.latest()

    def latest(self) -> Measurement:
        """Returns the latest measurement.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` if the socket is closed or the measurement is older than `STALE_AFTER`.
        """
        latest = self._latest
        if latest is None or self._ended.is_set() or time.monotonic() - latest.time > STALE_AFTER:
            raise AgentError(
                ErrorCode.ROBOT_DISCONNECTED, f"The daemon does not send the robot's state: {self._trouble}."
            )
        return replace(latest, motor_mode=self.motor_mode)

    def send(self, pose: BodyPose) -> None:
        """Sends a target. The daemon does not acknowledge it. Any thread may call this method.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` if the socket is closed.
        """
        target = {
            "type": "set_full_target",
            "head": pose.head.ravel().tolist(),
            "antennas": [float(pose.antenna_right), float(pose.antenna_left)],
            "body_yaw": float(pose.body_yaw),
        }
        try:
            self._socket.send(json.dumps(target, allow_nan=False))
        except (WebSocketException, OSError) as error:
            raise AgentError(ErrorCode.ROBOT_DISCONNECTED, f"The daemon's socket is closed: {error}.") from error

    def close(self) -> None:
        """Closes the socket and ends the thread."""
        self._socket.close()
        self._thread.join()

    def _receive(self) -> None:
        try:
            for message in self._socket:
                self._take(json.loads(message))
            self._trouble = "closed by the daemon"
        except (WebSocketException, OSError) as error:
            self._trouble = str(error)
        except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
            self._trouble = f"invalid message ({error!r:.200})"
        self._ended.set()
        self._arrival.set()

    def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "joint_positions":
            self._joints = _joints(message)
        elif kind == "head_pose" and self._joints is not None:
            self._measure(np.array(message["head_pose"], dtype=float).reshape(4, 4), self._joints)
        elif kind == "imu_data":
            self._imu = _imu(message)
        elif kind == "daemon_status":
            self._take_status(message)

    def _take_status(self, status: dict[str, Any]) -> None:
        if status["backend_status"] is not None:
            self.motor_mode = MotorMode[status["backend_status"]["motor_control_mode"].upper()]
        if status["error"]:
            self._trouble = status["error"]

    def _measure(self, head: Matrix, joints: Vector) -> None:
        if not (np.isfinite(head).all() and np.isfinite(joints).all()):
            return  # Counts as silence, because the robot does not know its state.
        motors = dict(zip(JOINTS, joints.tolist(), strict=True))
        self._latest = Measurement(
            time=time.monotonic(),
            # The forward kinematics of the daemon stops early, so its rotations have errors of up to 3e-4.
            pose=BodyPose(orthonormal(head), antenna_right=-joints[7], antenna_left=-joints[8], body_yaw=joints[0]),
            joints=motors | self._rods.joints(head, motors),
            imu=self._imu,
        )
        self._arrival.set()


def _open(url: str) -> ClientConnection:
    host, port = daemon_address(url)
    try:
        return connect(f"ws://{url_host(host)}:{port}/ws/sdk", compression=None, proxy=None, open_timeout=_OPEN_TIMEOUT)
    except (WebSocketException, OSError) as error:
        message = f"The Reachy Mini daemon at {url} does not stream its state: {error}."
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, message) from error


def _joints(message: dict[str, Any]) -> Vector:
    """Returns the positions of `JOINTS` (rad) with the signs of the URDF."""
    antennas = np.array(message["antennas_joint_positions"], dtype=float)
    joints = np.array([*message["head_joint_positions"], *-antennas], dtype=float)
    if joints.shape != (len(JOINTS),):
        raise ValueError(f"{joints.size} joints instead of {len(JOINTS)}")
    return joints


def _imu(message: dict[str, Any]) -> ImuSample:
    w, x, y, z = message["quaternion"]
    return ImuSample(
        orientation=np.array([x, y, z, w], dtype=float),
        angular_velocity=np.array(message["gyroscope"], dtype=float),
        linear_acceleration=np.array(message["accelerometer"], dtype=float),
    )
