"""Client of the Reachy Mini daemon's REST API."""

from __future__ import annotations

import json
import time
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, rpy_from_matrix
from reachy_agent_ros.robot.protocol import MotorMode

DEFAULT_URL = "http://127.0.0.1:8000"

_TIMEOUT = 0.5
"""Timeout of a request, s; the daemon usually responds within 5 ms."""

_KEEP_ALIVE = 2.0
"""Idle time after which a new connection is opened, s. The daemon closes idle connections after 5 s."""


def daemon_address(url: str) -> tuple[str, int]:
    """Returns the host and port of a daemon URL. The default port is 8000.

    Raises:
        AgentError: `INVALID_GOAL` for anything other than `http://HOST[:PORT]`.
    """
    message = f"Invalid daemon URL {url!r}: expected http://HOST:PORT."
    try:
        parts = urlsplit(url)
        port = parts.port or 8000
    except ValueError as error:  # for example an unclosed bracket
        raise AgentError(ErrorCode.INVALID_GOAL, message) from error
    if parts.scheme != "http" or not parts.hostname or parts.path.strip("/"):
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    return parts.hostname, port


class DaemonApi:
    """Persistent connection to a daemon. Use it from one thread only.

    Every method except `close` raises an `AgentError` `ROBOT_DISCONNECTED` if the daemon does not respond within 0.5 s,
    or if its response is invalid or, except in `set_motor_mode`, reports an error.

    Args:
        url: URL of the daemon, `http://HOST:PORT`.

    Raises:
        AgentError: `INVALID_GOAL` if the URL is invalid.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection = HTTPConnection(*daemon_address(url), timeout=_TIMEOUT)
        self._used = 0.0

    def status(self) -> dict[str, Any]:
        """Returns the daemon's status: `state`, `simulation_enabled`, `mockup_sim_enabled`, `error` and more."""
        return self._request("GET", "/api/daemon/status")

    def set_target(self, pose: BodyPose) -> None:
        """Sets the target posture. All of its numbers must be finite.

        Raises:
            AgentError: `MOTION_IGNORED` while the daemon is playing a move that it started.
        """
        roll, pitch, yaw = rpy_from_matrix(pose.head)
        x, y, z = pose.head[:3, 3].tolist()
        target = {
            "target_head_pose": {"x": x, "y": y, "z": z, "roll": roll, "pitch": pitch, "yaw": yaw},
            "target_antennas": [float(pose.antenna_right), float(pose.antenna_left)],
            "target_body_yaw": float(pose.body_yaw),
        }
        answer = self._request("POST", "/api/move/set_target", json.dumps(target, allow_nan=False))
        if answer.get("status") != "ok":
            reason = answer.get("reason", answer)
            raise AgentError(ErrorCode.MOTION_IGNORED, f"The daemon ignored a target: {reason}.")

    def motor_mode(self) -> MotorMode:
        """Returns the present motor mode.

        Raises:
            AgentError: `ROBOT_DISCONNECTED`, also if the daemon reports an unknown mode.
        """
        mode = self._request("GET", "/api/motors/status").get("mode")
        try:
            return MotorMode[str(mode).upper()]
        except KeyError:
            message = f"The daemon reports an unknown motor mode: {mode!r:.60}."
            raise AgentError(ErrorCode.ROBOT_DISCONNECTED, message) from None

    def set_motor_mode(self, mode: MotorMode) -> None:
        """Requests a motor mode. The daemon may accept the request without applying it.

        Raises:
            AgentError: `INVALID_GOAL` if the daemon rejects the request.
        """
        self._request("POST", f"/api/motors/set_mode/{mode.name.lower()}", refusal=ErrorCode.INVALID_GOAL)

    def close(self) -> None:
        """Closes the connection. A later request opens it again."""
        self._connection.close()

    def _request(
        self, method: str, path: str, body: str | None = None, refusal: ErrorCode = ErrorCode.ROBOT_DISCONNECTED
    ) -> dict[str, Any]:
        if time.monotonic() - self._used > _KEEP_ALIVE:
            self._connection.close()
        try:
            self._connection.request(method, path, body, {"Content-Type": "application/json"})
            response = self._connection.getresponse()
            status, text = response.status, response.read()
        except (OSError, HTTPException) as error:
            self._connection.close()
            message = (
                f"The Reachy Mini daemon at {self._url} does not answer: {error or type(error).__name__}. "
                "Start the daemon, or set daemon_url to its address."
            )
            raise AgentError(ErrorCode.ROBOT_DISCONNECTED, message) from error
        self._used = time.monotonic()
        if status >= 400:
            raise AgentError(
                refusal, f"The daemon answered {path} with {status}: {text.decode(errors='replace')[:200]}"
            )
        return _decoded(text, path)


def _decoded(text: bytes, path: str) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, f"The daemon's answer to {path} is not JSON.") from error
    if not isinstance(answer, dict):
        raise AgentError(ErrorCode.ROBOT_DISCONNECTED, f"The daemon's answer to {path} is not a JSON object.")
    return answer
