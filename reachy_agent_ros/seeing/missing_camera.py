"""The camera of a robot whose pictures cannot be had."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.seeing.camera import Intrinsics


class MissingCamera:
    """Refuses every picture with its reason.

    Args:
        reason: One sentence for people.
        width: pixels it would have had.
        height: pixels it would have had.
    """

    def __init__(self, reason: str, width: int, height: int) -> None:
        self._reason = reason
        self._intrinsics = Intrinsics(width, height, float(width))

    @property
    def intrinsics(self) -> Intrinsics:
        """Of no use: there are no pictures."""
        return self._intrinsics

    def open(self) -> NoReturn:
        """Raises `AgentError(CAMERA_UNAVAILABLE)`."""
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, self._reason)

    def capture(self, head: Matrix, objects: Mapping[str, Matrix]) -> NoReturn:
        """Raises `AgentError(CAMERA_UNAVAILABLE)`."""
        self.open()

    def close(self) -> None:
        """Has nothing to let go of."""
