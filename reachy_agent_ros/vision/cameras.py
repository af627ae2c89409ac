"""The cameras of the simulated robot: its eye, and a view of the whole robot that a process of its own draws."""

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

ROBOTS = ("mujoco", "daemon")

STUDIO_SIZE = (640, 480)
"""Width and height of the picture of the robot, pixels."""

_TIMEOUT = 30.0
"""s for a picture; it takes three on two busy cores."""


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


class StudioProcess:
    """Takes pictures of the simulated robot, each in a new process.

    Handing the robot's 360,000 triangles to OpenGL holds Python's lock for half a second, which would silence a node's
    heartbeat, and takes 250 MB, which a short-lived process gives back.

    Args:
        scene: One of `description.SCENES`.
        width: pixels.
        height: pixels.
    """

    def __init__(self, scene: str, width: int, height: int) -> None:
        self._scene = scene
        self._width = width
        self._height = height

    def capture(self, joints: Mapping[str, float], objects: Mapping[str, Matrix]) -> Image:
        """Draws one picture, as `studio_view.StudioView` does.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE` where nothing can be drawn, `TIMEOUT` when it takes half a minute.
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
            raise AgentError(ErrorCode.TIMEOUT, f"The robot was not drawn within {_TIMEOUT:g} s.") from None
        if drawn.returncode != 0:
            reason = drawn.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, f"The robot could not be drawn: {reason}")
        return np.frombuffer(drawn.stdout, np.uint8).reshape(self._height, self._width, 3)


def main() -> int:
    """Draws what standard input describes as JSON; writes the pixels, RGB by rows, to standard output."""
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
