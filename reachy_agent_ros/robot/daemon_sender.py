"""Sends the newest target to the daemon without making the motion loop wait for it."""

from __future__ import annotations

import threading
import time

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.robot.daemon_api import DaemonApi

REPEAT_PERIOD = 0.1
"""Time, s, after which a target that has not changed is sent again: it takes the robot back from any other client, and
finds out whether the daemon still listens."""


class TargetSender:
    """A thread that posts the newest target; one that came meanwhile replaces the one before it.

    Args:
        url: `http://HOST:PORT` of the daemon.
    """

    def __init__(self, url: str) -> None:
        self._api = DaemonApi(url)
        self._changed = threading.Condition()
        self._waiting: str | None = None
        self._accepted: str | None = None
        self._accepted_at = 0.0
        self._failure: AgentError | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="daemon-sender", daemon=True)
        self._thread.start()

    def submit(self, target: str) -> None:
        """Has a target sent, and tells how the one before it fared.

        Args:
            target: From `daemon_api.encode_target`.

        Raises:
            AgentError: As `DaemonApi.set_target` did for the last target that was posted; this one is posted anyway.
        """
        with self._changed:
            rested = time.monotonic() - self._accepted_at > REPEAT_PERIOD
            if rested or target != self._accepted:
                self._waiting = target
                self._changed.notify()
            failure = self._failure
        if failure is not None:
            raise AgentError(failure.code, failure.message)

    def close(self) -> None:
        """Ends the thread; a target not yet posted is dropped."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()
        self._api.close()

    def _run(self) -> None:
        while (target := self._next()) is not None:
            failure = self._post(target)
            with self._changed:
                self._failure = failure
                self._accepted, self._accepted_at = target, time.monotonic()

    def _next(self) -> str | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting is not None)
            target, self._waiting = self._waiting, None
            return None if self._closed else target

    def _post(self, target: str) -> AgentError | None:
        try:
            self._api.set_target(target)
        except AgentError as error:
            return error
        return None
