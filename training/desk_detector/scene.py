"""Random desk scene: objects, light and camera pose."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector, matrix_from_rpy
from reachy_agent_ros.vision.desk_detector import LABELS

KINDS = LABELS
"""Classes of the detector, in the order of its outputs."""

_HEAD_FROM_EYE = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""The camera looks along its own -z with y up (OpenGL); the head looks along x with z up."""


@dataclass(frozen=True)
class Thing:
    """Object on, above or beside the desk.

    Attributes:
        shape: One of `KINDS`, or a primitive shape of MuJoCo.
        pose: 4x4 transform in `base_link`, m.
        size: Half sizes of a primitive as in MJCF, m.
        color: Red, green and blue, 0..1; multiplies the texture of one of `KINDS`.
        gloss: Specular reflection, 0..1.
    """

    shape: str | mujoco.mjtGeom
    pose: Matrix
    size: tuple[float, float, float] = (0.0, 0.0, 0.0)
    color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gloss: float = 0.1


@dataclass(frozen=True)
class Lamp:
    """Directional light.

    Attributes:
        direction: Direction of the light, unit vector in `base_link`; None for light from the camera.
        diffuse: Red, green and blue of the diffuse light, 0..1.
        ambient: Red, green and blue of the ambient light, 0..1.
    """

    direction: Vector | None
    diffuse: Vector
    ambient: Vector


@dataclass(frozen=True)
class Surface:
    """Appearance of the table or the floor.

    Attributes:
        material: Name of the material in the MJCF; None for no texture.
        color: Red, green and blue, 0..1; multiplies the texture.
    """

    material: str | None
    color: tuple[float, float, float]


@dataclass(frozen=True)
class Scene:
    """Scene that determines an image, before the effects of the camera sensor.

    Attributes:
        eye: 4x4 transform of the camera in `base_link`, m (OpenGL axes).
        things: Objects and distractors, in any order.
        lamps: Lamps, at least one.
        table: Look of the table.
        floor: Look of the floor.
        sky: Whether the sky is drawn; otherwise, the background is black.
    """

    eye: Matrix
    things: tuple[Thing, ...]
    lamps: tuple[Lamp, ...]
    table: Surface
    floor: Surface
    sky: bool


def eye_pose(position: Vector, roll: float, pitch: float, yaw: float) -> Matrix:
    """Returns the pose of a camera at a position (m) as a 4x4 matrix.

    The fixed-axis angles of the head (rad) follow REP-103.
    """
    pose = np.eye(4)
    pose[:3, :3] = matrix_from_rpy(roll, pitch, yaw) @ _HEAD_FROM_EYE
    pose[:3, 3] = position
    return pose
