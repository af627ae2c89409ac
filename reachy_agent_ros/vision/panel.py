"""A board with a picture on it, to hold before the simulated eye: a photograph of a face for example."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
from PIL import Image as PillowImage

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.camera import Image

PANEL = "panel"
"""Name of its body, whose x axis points out of the picture towards who looks at it, and whose z axis is up in it."""

_THICKNESS = 0.004
"""m."""

_AWAY = (0.0, 0.0, -0.85)
"""Where it lies before anyone moves it, m in `base_link`: under the floor, and not far, because the farthest body
decides from which distance on MuJoCo draws."""

_FACE_UP = (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0)
"""Quaternion (w, x, y, z) of a board that lies on its back."""

_PICTURE_IN_BODY = (0.5, 0.5, 0.5, 0.5)
"""Quaternion (w, x, y, z) of the box whose x is the picture's right and y its top: the body's y and z."""

_GLOW = 0.6
"""Share of its brightness that does not depend on the scene's lights, which come from above."""


@dataclass(frozen=True)
class Panel:
    """The board. It is not part of the physics: nothing collides with it.

    Attributes:
        image: What is on it.
        height: m; the picture's shape says how wide it is.
    """

    image: Image
    height: float

    @classmethod
    def read(cls, path: Path, height: float) -> Panel:
        """A board with the picture of a file, `height` m high.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`: the file cannot be read or is no picture.
        """
        try:
            with PillowImage.open(path) as picture:
                return cls(np.asarray(picture.convert("RGB")), height)
        except OSError as error:
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, f"{path} cannot be shown on a panel: {error}.") from error

    def add_to(self, spec: mujoco.MjSpec) -> None:
        """Puts the board into a scene as a mocap body."""
        rows, columns = self.image.shape[:2]
        texture = spec.add_texture(name=PANEL, type=mujoco.mjtTexture.mjTEXTURE_2D, nchannel=3)
        texture.width, texture.height = columns, rows
        texture.data = np.ascontiguousarray(self.image).tobytes()
        material = spec.add_material(name=PANEL, emission=_GLOW, specular=0.0, shininess=0.0)
        material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = PANEL
        body = spec.worldbody.add_body(name=PANEL, mocap=True, pos=_AWAY, quat=_FACE_UP)
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=[self.height * columns / rows / 2.0, self.height / 2.0, _THICKNESS / 2.0],
            quat=_PICTURE_IN_BODY,
            material=PANEL,
        )
