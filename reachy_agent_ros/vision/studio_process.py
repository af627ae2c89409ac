"""Draws the robot in a process of its own.

Handing the robot's 360,000 triangles to OpenGL holds Python's lock for half a second, which would silence a node's
heartbeat, and takes 250 MB, which a short-lived process gives back.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.vision.camera import Image

_TIMEOUT = 30.0
"""s for a picture; it takes three on two busy cores."""


class StudioProcess:
    """Takes pictures of the simulated robot, each in a new process.

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
