"""MuJoCo model of a scene without the robot. Contains a tenth of the polygons, and is used only for rendering."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.mujoco_simulation import OBJECTS, compile_model
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.image_file import read_image

EYE = "eye"
"""Name of the camera, and of the body that carries it."""

VERTICAL_FIELD_OF_VIEW = 80.0
"""Vertical field of view of the robot's camera, degrees, as in its MJCF."""

PANEL = "panel"
"""Name of a panel's body. Its x axis points out of the image towards the viewer, its z axis up in the image."""

_THICKNESS = 0.004
"""Thickness of a panel, m."""

_AWAY = (0.0, 0.0, -0.85)
"""Initial position of a panel in `base_link`, m: under the floor, but not far, because the farthest body determines
MuJoCo's near clipping distance."""

_FACE_UP = (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0)
"""Quaternion (w, x, y, z) of a panel that lies on its back."""

_PICTURE_IN_BODY = (0.5, 0.5, 0.5, 0.5)
"""Quaternion (w, x, y, z) of the box: its x is right and its y is up in the image, the body's y and z."""

_GLOW = 0.6
"""Fraction of a panel's brightness that is independent of the scene's lights, which are above."""


def scene_without_robot(path: Path, panel: Panel | None = None) -> mujoco.MjModel:
    """Loads and compiles a scene without the robot, optionally with a panel.

    Args:
        path: MJCF file of the scene.
        panel: Panel to add; None for no panel.
    """
    spec = spec_without_robot(path)
    if panel is not None:
        panel.add_to(spec)
    return compile_model(spec)


def spec_without_robot(path: Path) -> mujoco.MjSpec:
    """Loads a scene with a camera instead of the robot. The caller can extend the scene before compiling it.

    Every object and the camera are mocap bodies, which stay where they are placed.

    Args:
        path: MJCF file of the scene.
    """
    spec = mujoco.MjSpec.from_file(str(path))
    for camera in spec.worldbody.cameras:
        spec.delete(camera)  # it follows the robot
    for body in spec.worldbody.bodies:
        if body.name in OBJECTS:
            _pin(spec, body)
        else:
            spec.delete(body)
    _drop_unused_meshes(spec)
    eye = spec.worldbody.add_body(name=EYE, mocap=True)
    eye.add_camera(name=EYE, fovy=VERTICAL_FIELD_OF_VIEW)
    return spec


@dataclass(frozen=True)
class Panel:
    """Panel in front of the simulated camera that shows an image, such as a photograph of a face.

    The panel has no physics: nothing collides with it.

    Attributes:
        image: Image on the panel.
        height: Height, m; the width follows from the shape of the image.
    """

    image: Image
    height: float

    @classmethod
    def read(cls, path: Path, height: float) -> Panel:
        """Creates a panel with a height of `height` (m) that shows an image from a file.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE` if the file cannot be read or is not an image.
        """
        try:
            return cls(read_image(path), height)
        except AgentError as error:
            message = f"Cannot show an image on a panel: {error.message}"
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message) from error

    def add_to(self, spec: mujoco.MjSpec) -> None:
        """Adds the panel to a scene as a MuJoCo mocap body."""
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


def _pin(spec: mujoco.MjSpec, body: mujoco.MjsBody) -> None:
    for joint in body.joints:
        spec.delete(joint)
    body.mocap = True


def _drop_unused_meshes(spec: mujoco.MjSpec) -> None:
    used = {geom.meshname for geom in spec.geoms}
    for mesh in spec.meshes:
        if mesh.name not in used:
            spec.delete(mesh)
