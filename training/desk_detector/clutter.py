"""Distractors that the detector must not find: boxes, balls and hands, often in the colors of the objects."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector, matrix_from_rpy
from training.desk_detector.scene import Thing

_SPHERE, _CAPSULE = mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_CAPSULE
_ELLIPSOID, _CYLINDER, _BOX = mujoco.mjtGeom.mjGEOM_ELLIPSOID, mujoco.mjtGeom.mjGEOM_CYLINDER, mujoco.mjtGeom.mjGEOM_BOX
_SHAPES = (_SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX)

Color = tuple[float, float, float]

_OBJECT_COLORS = np.array(
    [
        (0.75, 0.12, 0.10),  # apple
        (0.60, 0.25, 0.12),
        (0.85, 0.55, 0.20),
        (0.55, 0.60, 0.15),
        (0.80, 0.52, 0.25),  # croissant
        (0.65, 0.38, 0.15),
        (0.45, 0.24, 0.10),
        (0.95, 0.78, 0.10),  # duck
        (1.00, 0.65, 0.05),
        (0.95, 0.45, 0.05),
    ]
)

_SKIN = np.array([(1.0, 0.86, 0.76), (0.94, 0.72, 0.58), (0.82, 0.58, 0.42), (0.60, 0.38, 0.25), (0.35, 0.21, 0.14)])


def any_color(rng: np.random.Generator) -> Color:
    """Draws a color: usually similar to an object, sometimes a skin color, otherwise any color."""
    choice = rng.random()
    if choice < 0.55:
        return _near(rng, _OBJECT_COLORS[rng.integers(len(_OBJECT_COLORS))], 0.08)
    if choice < 0.7:
        return skin(rng)
    return _near(rng, rng.random(3), 0.0)


def skin(rng: np.random.Generator) -> Color:
    """Draws a skin color between two neighboring colors of a scale from light to dark."""
    place = rng.random() * (len(_SKIN) - 1)
    lower = int(place)
    return _near(rng, _SKIN[lower] + (place - lower) * (_SKIN[lower + 1] - _SKIN[lower]), 0.03)


def distractor(rng: np.random.Generator, position: Vector) -> list[Thing]:
    """Creates one to four neighboring primitive shapes (half sizes 1 to 8 cm) at a position (m).

    The first one stands about on the horizontal plane through the position; each next one may be 4 cm higher.
    """
    color = any_color(rng)
    parts = 1 if rng.random() < 0.6 else int(rng.integers(2, 5))
    things, place = [], position.copy()
    for _ in range(parts):
        size = rng.uniform(0.012, 0.05 if parts > 1 else 0.08, 3)
        height = float(size.max()) if rng.random() < 0.5 else float(size.min())
        pose = _pose(_turn(rng), place + np.array([0.0, 0.0, height]))
        things.append(Thing(_SHAPES[rng.integers(len(_SHAPES))], pose, _sizes(size), color, rng.random()))
        place = place + np.array([*rng.normal(0.0, 0.03, 2), rng.uniform(0.0, 0.04)])
        color = color if rng.random() < 0.7 else any_color(rng)
    return things


def board(rng: np.random.Generator, position: Vector) -> list[Thing]:
    """Creates a box (2 to 12 cm long) in a random orientation, which hides part of an object."""
    size = _sizes(rng.uniform((0.01, 0.01, 0.003), (0.06, 0.06, 0.03)))
    return [Thing(_BOX, _pose(_turn(rng), position), size, any_color(rng), rng.random())]


def fingers(rng: np.random.Generator, position: Vector) -> list[Thing]:
    """Creates one to three fingers whose tips are near a position (m)."""
    color, turn = skin(rng), _turn(rng)
    along, across = turn[:, 0], turn[:, 1]
    things = []
    for number in range(int(rng.integers(1, 4))):
        tip = position + across * 0.021 * number + along * rng.normal(0.0, 0.01)
        radius = rng.uniform(0.006, 0.011)
        knuckle = tip - along * rng.uniform(0.03, 0.05)
        things += [_limb(tip, knuckle, radius, color)]
        things += [_limb(knuckle, knuckle - along * 0.08 + turn[:, 2] * rng.uniform(-0.04, 0.04), radius, color)]
    return things


def hand(rng: np.random.Generator, position: Vector) -> list[Thing]:
    """Creates a hand at a position (m) in a random orientation: palm, curled fingers, thumb and forearm."""
    color, turn = skin(rng), _turn(rng)
    scale, curl = rng.uniform(0.7, 1.15), rng.uniform(0.0, 1.4)

    def placed(*point: float) -> Vector:
        return np.asarray(position + turn @ (scale * np.array(point)))

    things = [Thing(_ELLIPSOID, _pose(turn, position), _sizes(scale * np.array([0.05, 0.043, 0.018])), color)]
    for number in range(4):
        across, bend, bone = 0.02 * number - 0.03, curl + rng.normal(0.0, 0.15), 0.04 * rng.uniform(0.8, 1.1)
        knuckle = 0.04 + bone * math.cos(bend / 2), -bone * math.sin(bend / 2)
        tip = knuckle[0] + bone * math.cos(bend * 1.4), knuckle[1] - bone * math.sin(bend * 1.4)
        middle = placed(knuckle[0], across, knuckle[1])
        things.append(_limb(placed(0.04, across, 0.0), middle, 0.0095 * scale, color))
        things.append(_limb(middle, placed(tip[0], across, tip[1]), 0.0085 * scale, color))
    things.append(_limb(placed(-0.02, -0.03, 0.0), placed(0.03, -0.075, -0.02 * curl), 0.011 * scale, color))
    sleeve = color if rng.random() < 0.5 else any_color(rng)
    things.append(_limb(placed(-0.05, 0.0, 0.0), placed(-0.3, rng.normal(0.0, 0.05), 0.05), 0.03 * scale, sleeve))
    return things


def _limb(start: Vector, end: Vector, radius: float, color: Color) -> Thing:
    axis = end - start
    length = float(np.linalg.norm(axis))
    yaw, pitch = math.atan2(axis[1], axis[0]), math.acos(max(-1.0, min(1.0, axis[2] / length)))
    pose = _pose(matrix_from_rpy(0.0, pitch, yaw), (start + end) / 2.0)
    return Thing(_CAPSULE, pose, (radius, length / 2.0, 0.0), color)


def _turn(rng: np.random.Generator) -> Matrix:
    """Draws a random rotation."""
    rotation, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    rotation[:, 0] *= np.sign(np.linalg.det(rotation))
    return np.asarray(rotation)


def _pose(rotation: Matrix, position: Vector) -> Matrix:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, position
    return pose


def _near(rng: np.random.Generator, color: Vector, spread: float) -> Color:
    red, green, blue = np.clip(color + rng.normal(0.0, spread, 3), 0.0, 1.0) if spread else color
    return float(red), float(green), float(blue)


def _sizes(size: Vector) -> tuple[float, float, float]:
    return float(size[0]), float(size[1]), float(size[2])
