"""Props on and around the desk in the desk scenes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

CLOTH, WALLPAPER = "cloth", "wallpaper"
"""Textures painted by `desk_look`."""

TEXTURE_SIZE = 256
"""Width and height of the textures, pixels."""

LAMPS = ("desk_lamp", "ceiling_lamp")

HAND = "hand"

PROPS = (HAND, "mug", "bottle", "book", "pen", "can", "ball")
"""Mocap bodies of the props; hidden ones are in `HIDDEN_GROUP`."""

COVERS = ("mug", "bottle", "book", "can")
"""Props on the desk that can hide an object."""

HIDDEN_GROUP = 4
"""Group of geoms that MuJoCo does not draw by default."""

_Shape = tuple[mujoco.mjtGeom, Sequence[float], Sequence[float], Sequence[float]]
"""Type, size, position and Euler angles of one geom, m and rad, in its prop's frame, which is on the desk."""

_SPHERE, _CYLINDER, _BOX = mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_CYLINDER, mujoco.mjtGeom.mjGEOM_BOX
_CAPSULE, _ELLIPSOID = mujoco.mjtGeom.mjGEOM_CAPSULE, mujoco.mjtGeom.mjGEOM_ELLIPSOID


def add_props(spec: mujoco.MjSpec) -> None:
    """Adds props, a cloth on the desk, walls and lamps to the model of a scene."""
    for name in (CLOTH, WALLPAPER):
        _add_texture(spec, name)
    _add_box(spec, CLOTH, (0.54, 0.34, 0.0006), (0.35, 0.0, 0.0))
    _add_box(spec, WALLPAPER, (0.02, 3.0, 1.6), (2.2, 0.0, 0.6))
    for side in (-1.0, 1.0):
        _add_box(spec, WALLPAPER, (3.0, 0.02, 1.6), (0.0, 1.9 * side, 0.6))
    for name in LAMPS:
        spec.worldbody.add_light(name=name, pos=(0.5, 0.0, 1.0), dir=(0.0, 0.0, -1.0), castshadow=False)
    for name in PROPS:
        body = spec.worldbody.add_body(name=name, mocap=True)
        for kind, size, position, angles in _shapes(name):
            body.add_geom(type=kind, size=_padded(size), pos=position, euler=np.degrees(angles), rgba=(1, 1, 1, 1))


def _shapes(name: str) -> list[_Shape]:
    upright = (0.0, 0.0, 0.0)
    shapes: dict[str, list[_Shape]] = {
        HAND: _hand(),
        "mug": [
            (_CYLINDER, (0.04, 0.048), (0.0, 0.0, 0.048), upright),
            (_CAPSULE, (0.007, 0.02), (0.045, 0.0, 0.05), upright),
        ],
        "bottle": [
            (_CYLINDER, (0.032, 0.075), (0.0, 0.0, 0.075), upright),
            (_CAPSULE, (0.012, 0.045), (0.0, 0.0, 0.17), upright),
        ],
        "book": [(_BOX, (0.055, 0.012, 0.075), (0.0, 0.0, 0.075), upright)],
        "pen": [(_CAPSULE, (0.005, 0.07), (0.0, 0.0, 0.006), (math.pi / 2, 0.0, 0.0))],
        "can": [(_CYLINDER, (0.033, 0.06), (0.0, 0.0, 0.06), upright)],
        "ball": [(_SPHERE, (0.03,), (0.0, 0.0, 0.03), upright)],
    }
    return shapes[name]


def _hand() -> list[_Shape]:
    """Returns the shapes of a hand and forearm.

    The palm is at the origin, the fingers point along x, and the forearm is behind the palm.
    """
    fingers: list[_Shape] = [
        (_CAPSULE, (0.0085, 0.026), (0.068, -0.03 + 0.02 * number, -0.004), (0.0, 1.35 + 0.1 * number, 0.0))
        for number in range(4)
    ]
    return [
        (_ELLIPSOID, (0.048, 0.042, 0.017), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        *fingers,
        (_CAPSULE, (0.01, 0.024), (0.02, -0.055, -0.006), (math.pi / 2, 0.0, 0.6)),
        (_CAPSULE, (0.029, 0.14), (-0.19, 0.0, 0.012), (0.0, math.pi / 2, 0.0)),
    ]


def _add_texture(spec: mujoco.MjSpec, name: str) -> None:
    flat = mujoco.mjtBuiltin.mjBUILTIN_FLAT
    kind = mujoco.mjtTexture.mjTEXTURE_2D
    spec.add_texture(name=name, type=kind, builtin=flat, width=TEXTURE_SIZE, height=TEXTURE_SIZE, rgb1=(1, 1, 1))
    material = spec.add_material(name=name, texuniform=False)
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = name


def _add_box(spec: mujoco.MjSpec, material: str, size: Sequence[float], position: Sequence[float]) -> None:
    options: dict[str, Any] = {"contype": 0, "conaffinity": 0}
    spec.worldbody.add_geom(type=_BOX, size=size, pos=position, material=material, **options)


def _padded(size: Sequence[float]) -> list[float]:
    return [*size, 0.0, 0.0, 0.0][:3]
