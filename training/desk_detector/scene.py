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
    """One body on, above or beside the desk.

    Attributes:
        shape: One of `KINDS`, or a primitive shape of MuJoCo.
        pose: 4x4 transform in `base_link`, m.
        size: Half sizes of a primitive as MJCF has them, m.
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
    """Light from far away.

    Attributes:
        direction: Direction of the light, unit vector in `base_link`; None: from the camera.
        diffuse: Red, green and blue of what surfaces scatter, 0..1.
        ambient: Red, green and blue of what reaches every surface alike, 0..1.
    """

    direction: Vector | None
    diffuse: Vector
    ambient: Vector


@dataclass(frozen=True)
class Surface:
    """Look of the table or the floor.

    Attributes:
        material: Name in the MJCF; None is without a texture.
        color: Red, green and blue, 0..1; multiplies the texture.
    """

    material: str | None
    color: tuple[float, float, float]


@dataclass(frozen=True)
class Scene:
    """Everything that decides a picture before it reaches the sensor.

    Attributes:
        eye: 4x4 transform of the camera in `base_link`, m (OpenGL axes).
        things: Objects to be found first or last; the order says nothing.
        lamps: At least one.
        table: Its look.
        floor: Its look.
        sky: Whether the scene's sky is drawn; else what lies beyond is black.
    """

    eye: Matrix
    things: tuple[Thing, ...]
    lamps: tuple[Lamp, ...]
    table: Surface
    floor: Surface
    sky: bool


def eye_pose(position: Vector, roll: float, pitch: float, yaw: float) -> Matrix:
    """4x4 transform of an eye at `position`, m, whose head has these fixed-axis angles, rad (REP-103)."""
    pose = np.eye(4)
    pose[:3, :3] = matrix_from_rpy(roll, pitch, yaw) @ _HEAD_FROM_EYE
    pose[:3, 3] = position
    return pose
