"""Sends the newest target to the daemon without making the motion loop wait for it."""

from __future__ import annotations

import threading
import time

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.robot.daemon_api import DaemonApi
from reachy_agent_ros.robot.daemon_socket import DaemonSocket

ASK_PERIOD = 0.5
"""Time, s, between two targets that go by REST as well. Only there does the daemon say that it ignored one; not all go
that way because it writes a line to its log for each."""


class TargetSender:
    """A thread that sends the newest target; one that came meanwhile replaces the one before it.

    Args:
        socket: What targets are sent by. The caller closes it, after the sender.
        url: `http://HOST:PORT` of the daemon.
    """

    def __init__(self, socket: DaemonSocket, url: str) -> None:
        self._socket = socket
        self._api = DaemonApi(url)
        self._asked = -ASK_PERIOD
        self._changed = threading.Condition()
        self._waiting: BodyPose | None = None
        self._failure: AgentError | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="daemon-sender", daemon=True)
        self._thread.start()

    def submit(self, pose: BodyPose) -> None:
        """Has a target sent, and tells how the ones before it fared.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`, or `MOTION_IGNORED` as of the last time the daemon was asked; this target
                is sent anyway.
        """
        with self._changed:
            self._waiting = pose
            self._changed.notify()
            failure = self._failure
        if failure is not None:
            raise AgentError(failure.code, failure.message)

    def close(self) -> None:
        """Ends the thread; a target not yet sent is dropped."""
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
        if now - self._asked >= ASK_PERIOD:
            self._asked = now
            self._api.set_target(pose)
            self._failure = None
