"""Connection to the robot, which is established in the background and after each loss."""

from __future__ import annotations

import threading
import time
from enum import Enum

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.protocol import Robot

SHORTEST_PAUSE = 0.5
LONGEST_PAUSE = 4.0
"""Minimum and maximum pause between two attempts, s. The pause doubles with each failure; its maximum keeps the time to
reconnect below 5 s."""


class _Phase(Enum):
    IDLE = 0
    CONNECTING = 1
    CONNECTED = 2


class Connection:
    """Connection to the robot. A separate thread establishes it, because `Robot.connect` may take seconds.

    No other thread uses the robot until it is connected.

    Args:
        robot: Robot to connect to.

    Attributes:
        attempts: Number of finished attempts, successful or not.
        losses: Number of times that the robot stopped responding.
    """

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._phase = _Phase.IDLE
        self._error: AgentError | None = AgentError(ErrorCode.ROBOT_DISCONNECTED, "The robot is not connected yet.")
        self._pause = SHORTEST_PAUSE
        self._next = 0.0
        self._thread: threading.Thread | None = None
        self.attempts = 0
        self.losses = 0

    @property
    def error(self) -> AgentError | None:
        """Reason why the robot does not respond. It is None while the robot responds."""
        return self._error

    def established(self) -> bool:
        """Returns whether the robot may be used now. Starts another connection attempt if it is due."""
        if self._phase is _Phase.IDLE and time.monotonic() >= self._next:
            self._phase = _Phase.CONNECTING
            self._thread = threading.Thread(target=self._connect, name="connect", daemon=True)
            self._thread.start()
        return self._phase is _Phase.CONNECTED

    def lose(self, error: AgentError) -> None:
        """Records that the robot no longer responds, and schedules the next connection attempt."""
        self.losses += 1
        self._retry(error)

    def close(self, timeout: float) -> None:
        """Waits up to `timeout` seconds for a running connection attempt, then closes the connection to the robot."""
        if self._thread is not None:
            self._thread.join(timeout)
        self._robot.close()

    def _connect(self) -> None:
        try:
            self._robot.connect()
        except AgentError as error:
            self._retry(error)
        else:
            self._error, self._pause = None, SHORTEST_PAUSE
            self._phase = _Phase.CONNECTED
        self.attempts += 1

    def _retry(self, error: AgentError) -> None:
        self._error = error
        self._next = time.monotonic() + self._pause
        self._pause = min(2.0 * self._pause, LONGEST_PAUSE)
        self._phase = _Phase.IDLE
