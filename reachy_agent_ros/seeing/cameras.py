"""Which cameras a robot has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.seeing.camera import Camera, Image
from reachy_agent_ros.seeing.missing_camera import MissingCamera
from reachy_agent_ros.seeing.studio_process import StudioProcess

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


def cameras(robot: str, scene: str, width: int, height: int, eye: Callable[[], Camera]) -> tuple[Camera, Studio]:
    """The robot's eye, and a view of the robot.

    Args:
        robot: One of `ROBOTS`.
        scene: One of `description.SCENES`.
        width: Of the simulated eye's picture, pixels.
        height: The same.
        eye: Makes the eye of a robot that is not simulated.
    """
    if robot != "mujoco":
        return eye(), MissingCamera("Nobody takes pictures of a real robot.")
    from reachy_agent_ros.seeing.scene_camera import SceneCamera  # here, because a real robot needs no MuJoCo

    return SceneCamera(scene, width, height), StudioProcess(scene, *STUDIO_SIZE)
