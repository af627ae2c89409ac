"""Robot backend for the Reachy Mini daemon: the real robot, or the daemon's simulation (`--sim`, `--mockup-sim`)."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.robot.daemon_api import DEFAULT_URL, DaemonApi
from reachy_agent_ros.robot.daemon_socket import DaemonSocket
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.protocol import Measurement, MotorMode

_FIRST_STATE_TIMEOUT = 2.0

_ASK_PERIOD = 0.5
"""Time between two targets that are also sent by REST, s. Only the REST response shows whether the daemon ignores
targets. Not every target is sent by REST, because the daemon logs a line for each."""


class DaemonRobot:
    """Robot backend `daemon`.

    The daemon silently drops poses that its inverse kinematics cannot solve, so each pose is first checked here with
    the same kinematics. If the daemon ignores targets because it is playing a move that it started, a later command
    raises an error. When the motors are enabled again, the robot holds its present posture.

    Args:
        url: Address of the daemon, `http://HOST:PORT`.
    """

    name = "daemon"

    def __init__(self, url: str = DEFAULT_URL) -> None:
        self._url = url
        self._kinematics = BodyKinematics()
        self._simulated = False
        self._link: _Link | None = None

    @property
    def simulated(self) -> bool:
        """Whether the daemon reported a simulation at the last `connect`. Before the first one, False to be safe."""
        return self._simulated

    def connect(self) -> None:
        """Connects to the daemon, or reconnects. Takes at most 5 s.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` if the daemon does not respond, is not running yet or sends no states;
                `INVALID_GOAL` if the URL is invalid.
        """
        self.close()
        api = DaemonApi(self._url)
        status = api.status()
        if status.get("state") != "running":
            problem = status.get("error") or status.get("state")
            raise AgentError(
                ErrorCode.ROBOT_DISCONNECTED, f"The daemon at {self._url} is not running the robot: {problem}."
            )
        socket = DaemonSocket(self._url, api.motor_mode())
        try:
            socket.wait(_FIRST_STATE_TIMEOUT)
        except AgentError:
            socket.close()
            raise
        self._simulated = bool(status.get("simulation_enabled") or status.get("mockup_sim_enabled"))
        self._link = _Link(api, socket, _TargetSender(socket, self._url))

    def command(self, pose: BodyPose) -> None:
        """Queues a posture, which is sent later. If sending fails, a later call raises the error.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`, `NOT_FINITE`, `UNREACHABLE`, `MOTORS_OFF`; `MOTION_IGNORED` within
                0.5 s while the daemon is playing a move that it started.
        """
        link = self._connected()
        if link.socket.motor_mode is not MotorMode.ENABLED:
            raise AgentError(
                ErrorCode.MOTORS_OFF, "The motors are not enabled: enable them before commanding a posture."
            )
        self._kinematics.inverse(pose)
        link.sender.submit(pose)

    def measure(self) -> Measurement:
        """Returns the latest state that the daemon sent, with the time at which it arrived.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` if the state is older than 0.5 s or the daemon has closed the connection.
        """
        return self._connected().socket.latest()

    def set_motor_mode(self, mode: MotorMode) -> None:
        """Sets the motor mode, and checks that the daemon applied it.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`; `INVALID_GOAL` for a mode that the daemon rejects or does not apply. For
                example, its MuJoCo simulation supports only the mode "enabled".
        """
        link = self._connected()
        link.api.set_motor_mode(mode)
        link.socket.motor_mode = link.api.motor_mode()
        if link.socket.motor_mode is not mode:
            kept = link.socket.motor_mode.name.lower()
            message = f"The robot does not support motor mode {mode.name.lower()}. The mode is still {kept}."
            raise AgentError(ErrorCode.INVALID_GOAL, message)

    def close(self) -> None:
        """Closes the connection to the daemon. The robot keeps its last target."""
        link, self._link = self._link, None
        if link is not None:
            link.close()

    def _connected(self) -> _Link:
        if self._link is None:
            raise AgentError(
                ErrorCode.ROBOT_DISCONNECTED, f"The daemon at {self._url} is not connected: connect first."
            )
        return self._link


@dataclass(frozen=True)
class _Link:
    """Components of a connection to a daemon."""

    api: DaemonApi
    socket: DaemonSocket
    sender: _TargetSender

    def close(self) -> None:
        self.sender.close()
        self.socket.close()
        self.api.close()


class _TargetSender:
    """Thread that sends the latest target, so that the motion loop does not wait for the daemon.

    While a target is being sent, a newer target replaces the one that is waiting.

    Args:
        socket: Connection for targets. The caller closes it after the sender.
        url: Address of the daemon, `http://HOST:PORT`.
    """

    def __init__(self, socket: DaemonSocket, url: str) -> None:
        self._socket = socket
        self._api = DaemonApi(url)
        self._asked = -_ASK_PERIOD
        self._changed = threading.Condition()
        self._waiting: BodyPose | None = None
        self._failure: AgentError | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="daemon-sender", daemon=True)
        self._thread.start()

    def submit(self, pose: BodyPose) -> None:
        """Queues a target. Raises the error if an earlier target could not be sent.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` or `MOTION_IGNORED` for an earlier target. The new target is sent anyway.
        """
        with self._changed:
            self._waiting = pose
            self._changed.notify()
            failure = self._failure
        if failure is not None:
            raise AgentError(failure.code, failure.message)

    def close(self) -> None:
        """Ends the thread. If a target has not been sent yet, it is discarded."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()
        self._api.close()

    def _run(self) -> None:
        while (pose := self._next()) is not None:
            try:
                self._send(pose)
            except AgentError as error:
                self._failure = error

    def _next(self) -> BodyPose | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting is not None)
            pose, self._waiting = self._waiting, None
            return None if self._closed else pose

    def _send(self, pose: BodyPose) -> None:
        self._socket.send(pose)
        now = time.monotonic()
        if now - self._asked >= _ASK_PERIOD:
            self._asked = now
            self._ask(pose)

    def _ask(self, pose: BodyPose) -> None:
        try:
            self._api.set_target(pose)
        except AgentError as error:
            if error.code is ErrorCode.MOTION_IGNORED:
                raise  # after any other error, the socket shows whether the daemon is lost or only late
        else:
            self._failure = None
