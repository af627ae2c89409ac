"""Which cameras a robot has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.vision.camera import CameraDriver, Image
from reachy_agent_ros.vision.studio_process import StudioProcess

ROBOTS = ("mujoco", "daemon")

STUDIO_SIZE = (640, 480)
"""Width and height of the picture of the robot, pixels."""


class Studio(Protocol):
    """Something that takes pictures of the robot."""

    def capture(self, joints: Mapping[str, float], objects: Mapping[str, Matrix]) -> Image:
        """Takes one picture.

        Args:
            joints: Measured position of every joint of the URDF by name, rad.
            objects: True 4x4 transforms in `base_link`, m, of the scene's objects.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`.
        """
        ...


def simulated_cameras(
    scene: str, width: int, height: int, panel_image: Path | None, panel_height: float
) -> tuple[CameraDriver, Studio]:
    """The simulated robot's eye, and a view of the robot.

    Args:
        scene: One of `description.SCENES`.
        width: Of the eye's picture, pixels.
        height: The same.
        panel_image: Picture on a board to hold before the eye; None for no board.
        panel_height: Of the board, m.

    Raises:
        AgentError: `CAMERA_UNAVAILABLE`: the board's picture cannot be read.
    """
    # Here, because a real robot needs no MuJoCo.
    from reachy_agent_ros.vision.scene_camera import SceneCamera
    from reachy_agent_ros.vision.scene_model import Panel

    panel = None if panel_image is None else Panel.read(panel_image, panel_height)
    return SceneCamera(scene, width, height, panel), StudioProcess(scene, *STUDIO_SIZE)
