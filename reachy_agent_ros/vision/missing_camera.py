"""The camera of a robot whose pictures cannot be had."""

from __future__ import annotations

from typing import NoReturn

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.camera import Intrinsics


class MissingCamera:
    """Refuses every picture with its reason.

    Args:
        reason: One sentence for people.
    """

    intrinsics = Intrinsics(0, 0, 0.0)
    """Of no use: there are no pictures."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def open(self) -> NoReturn:
        """Raises `AgentError(CAMERA_UNAVAILABLE)`."""
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, self._reason)

    def look(self, *_: object, **__: object) -> NoReturn:
        """Raises `AgentError(CAMERA_UNAVAILABLE)`."""
        self.open()

    def capture(self, *_: object, **__: object) -> NoReturn:
        """Raises `AgentError(CAMERA_UNAVAILABLE)`."""
        self.open()

    def close(self) -> None:
        """Has nothing to let go of."""
