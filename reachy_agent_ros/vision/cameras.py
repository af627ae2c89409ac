"""Cameras of the simulated robot: its own camera, and a studio view that is rendered in a separate process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.vision.camera import CameraDriver, Image

STUDIO_SIZE = (640, 480)
"""Width and height of the studio view, pixels."""

_TIMEOUT = 30.0
"""Timeout for a picture, s; drawing takes 3 s on two busy cores."""


class Studio(Protocol):
    """Protocol of an external camera that shows the complete robot."""

    def capture(self, joints: Mapping[str, float], objects: Mapping[str, Matrix]) -> Image:
        """Takes a picture of the robot.

        Args:
            joints: Measured position of every joint of the URDF by name, rad.
            objects: True 4x4 transforms of the scene's objects in `base_link`, m.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`; `TIMEOUT` if rendering takes too long.
        """
        ...


def simulated_cameras(
    scene: str, width: int, height: int, panel_image: Path | None, panel_height: float
) -> tuple[CameraDriver, Studio]:
    """Creates the camera and the studio view of the simulated robot.

    Args:
        scene: One of `description.SCENES`.
        width: Width of the camera image, pixels.
        height: Height of the camera image, pixels.
        panel_image: Image on a panel in front of the camera; None for no panel.
        panel_height: Height of the panel, m.

    Raises:
        AgentError: `CAMERA_UNAVAILABLE` if the panel's image cannot be read.
    """
    # Imported here, because a real robot does not need MuJoCo.
    from reachy_agent_ros.vision.scene_camera import SceneCamera
    from reachy_agent_ros.vision.scene_model import Panel

    panel = None if panel_image is None else Panel.read(panel_image, panel_height)
    return SceneCamera(scene, width, height, panel), StudioProcess(scene, *STUDIO_SIZE)


class StudioProcess:
    """Studio camera that renders each picture of the simulated robot in a new process.

    Loading the 360,000 triangles of the robot into OpenGL holds the global interpreter lock for 0.5 s, which would
    delay the heartbeat of a node. It also takes 250 MB, which a short-lived process releases.

    Args:
        scene: One of `description.SCENES`.
        width: Width, pixels.
        height: Height, pixels.
    """

    def __init__(self, scene: str, width: int, height: int) -> None:
        self._scene = scene
        self._width = width
        self._height = height

    def capture(self, joints: Mapping[str, float], objects: Mapping[str, Matrix]) -> Image:
        """Renders a picture of the robot with `studio_view.StudioView`.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE` if rendering fails, `TIMEOUT` if it takes 30 s.
        """
        request = {
            "scene": self._scene,
            "width": self._width,
            "height": self._height,
            "joints": dict(joints),
            "objects": {name: pose.tolist() for name, pose in objects.items()},
        }
        command = [sys.executable, "-m", __name__]
        try:
            drawn = subprocess.run(command, input=json.dumps(request).encode(), capture_output=True, timeout=_TIMEOUT)
        except subprocess.TimeoutExpired:
            raise AgentError(ErrorCode.TIMEOUT, f"The robot was not rendered within {_TIMEOUT:g} s.") from None
        if drawn.returncode != 0:
            reason = drawn.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, f"Cannot render the robot: {reason}")
        return np.frombuffer(drawn.stdout, np.uint8).reshape(self._height, self._width, 3)


def main() -> int:
    """Renders a scene, which is read as JSON from standard input. Writes RGB pixels, row by row, to standard output."""
    from reachy_agent_ros.vision.studio_view import StudioView

    request = json.load(sys.stdin)
    objects = {name: np.array(pose) for name, pose in request["objects"].items()}
    try:
        view = StudioView(request["scene"], request["width"], request["height"])
        image = view.draw(request["joints"], objects)
        view.close()
    except AgentError as error:
        print(error.message, file=sys.stderr)
        return 1
    sys.stdout.buffer.write(image.tobytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
