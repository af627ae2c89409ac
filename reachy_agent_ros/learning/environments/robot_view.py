"""Pictures of the robot at a task."""

from __future__ import annotations

from collections.abc import Mapping

from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.studio_view import StudioView

WIDTH, HEIGHT = 320, 240


class RobotView:
    """A studio that is set up with the first picture, which takes some seconds; later ones take some 20 ms."""

    def __init__(self) -> None:
        self._studio: StudioView | None = None

    def draw(self, joints: Mapping[str, float]) -> Image:
        """The robot with these joints (URDF names, rad), as a visitor sees it.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE` where nothing can be drawn.
        """
        if self._studio is None:
            self._studio = StudioView("empty", WIDTH, HEIGHT)
        return self._studio.draw(joints, {})

    def close(self) -> None:
        """Takes the studio down."""
        if self._studio is not None:
            self._studio.close()
            self._studio = None
