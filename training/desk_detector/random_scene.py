"""Generator of random desk scenes with a wide range of appearances."""

from __future__ import annotations

import math
from collections.abc import Mapping

import mujoco
import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector, matrix_from_rpy
from training.desk_detector.clutter import any_color, board, distractor, fingers, hand
from training.desk_detector.scene import KINDS, Lamp, Scene, Surface, Thing, eye_pose

Shapes = Mapping[str, tuple[Matrix, Vector]]
"""Upright 3x3 rotation and corners (N x 3, m, in the frame of the object) of every kind."""

_TABLE_LOW, _TABLE_HIGH = np.array([-0.20, -0.34]), np.array([0.90, 0.34])  # m; its top is z = 0
_ROBOT_RADIUS = 0.13  # m around the origin, without objects
_FLOOR = -0.8  # m
_APART = 0.05  # m between the middles of two objects
_MATERIALS = ("wooden_table_02_material", "groundplane", "croissant_material", "food_apple_01_material", None)


def random_scene(rng: np.random.Generator, shapes: Shapes) -> Scene:
    """Draws a random scene with objects, a camera that usually looks towards an object, and obstacles.

    The obstacles may hide objects.
    """
    objects = _objects(rng, shapes)
    eye = _eye(rng, objects)
    things = objects + _clutter(rng, eye, objects)
    table = Surface("wooden_table_02_material", (1.0, 1.0, 1.0))
    floor = Surface("groundplane", (1.0, 1.0, 1.0))
    if rng.random() < 0.6:
        table = _surface(rng, 0.6)
    if rng.random() < 0.5:
        floor = _surface(rng, 0.4)
    return Scene(eye, tuple(things), _lamps(rng), table, floor, bool(rng.random() < 0.8))


def _objects(rng: np.random.Generator, shapes: Shapes) -> list[Thing]:
    if rng.random() < 0.06:
        return []
    objects: list[Thing] = []
    for kind in KINDS:
        for _ in range(rng.choice(3, p=(0.15, 0.55, 0.30))):
            thing = _object(rng, kind, *shapes[kind])
            distances = [np.linalg.norm(thing.pose[:3, 3] - other.pose[:3, 3]) for other in objects]
            if min(distances, default=1.0) > _APART:
                objects.append(thing)
    return objects


def _object(rng: np.random.Generator, kind: str, upright: Matrix, corners: Vector) -> Thing:
    rotation = matrix_from_rpy(0.0, 0.0, rng.uniform(-math.pi, math.pi)) @ upright
    if kind == "apple" or rng.random() < 0.3:
        rotation = matrix_from_rpy(*rng.uniform(-math.pi, math.pi, 3)) @ rotation
    elif rng.random() < 0.4:
        rotation = matrix_from_rpy(*rng.normal(0.0, 0.15, 3)) @ rotation
    pose = np.eye(4)
    pose[:3, :3] = rotation
    pose[:3, 3] = _place(rng)
    lifted = rng.random()
    if lifted < 0.08:
        pose[2, 3] += rng.uniform(0.02, 0.35)  # as if held by a person
    elif lifted < 0.12:
        pose[:3, 3] = (*rng.uniform((0.3, -1.5), (2.5, 1.5)), _FLOOR)
    pose[2, 3] -= float((corners @ rotation.T)[:, 2].min())
    tint = np.clip(rng.normal(1.0, 0.07, 3), 0.0, 1.0)
    return Thing(kind, pose, color=(float(tint[0]), float(tint[1]), float(tint[2])), gloss=rng.uniform(0.0, 0.3))


def _place(rng: np.random.Generator) -> Vector:
    """Draws a position (m) on the table outside the robot. Near positions are as frequent as far positions."""
    while True:
        if rng.random() < 0.6:
            distance, angle = rng.uniform(0.16, 0.95), rng.uniform(-1.2, 1.2)
            place = distance * np.array([math.cos(angle), math.sin(angle)])
        else:
            place = rng.uniform(_TABLE_LOW, _TABLE_HIGH)
        if np.all((place > _TABLE_LOW) & (place < _TABLE_HIGH)) and np.linalg.norm(place) > _ROBOT_RADIUS:
            return np.array([*place, 0.0])


def _eye(rng: np.random.Generator, objects: list[Thing]) -> Matrix:
    """Draws a camera pose that the head can reach. The range is wider, because the body may be shifted."""
    position = np.array([0.04, 0.0, 0.225]) + rng.normal(0.0, (0.03, 0.03, 0.02))
    if objects and rng.random() < 0.9:
        towards = objects[rng.integers(len(objects))].pose[:3, 3] - position
        yaw = math.atan2(towards[1], towards[0]) + rng.uniform(-0.85, 0.85)
        pitch = math.atan2(-towards[2], math.hypot(towards[0], towards[1])) + rng.uniform(-0.7, 0.6)
    else:
        yaw, pitch = rng.uniform(-1.5, 1.5), rng.uniform(-0.3, 0.6)
    roll = rng.uniform(-0.5, 0.5) if rng.random() < 0.5 else rng.normal(0.0, 0.1)
    return eye_pose(position, roll, pitch, yaw)


def _clutter(rng: np.random.Generator, eye: Matrix, objects: list[Thing]) -> list[Thing]:
    things: list[Thing] = []
    if rng.random() < 0.55:
        for _ in range(rng.integers(1, 6)):
            things += distractor(rng, _place(rng))
    for thing in objects:
        if rng.random() < 0.22:
            between = eye[:3, 3] + rng.uniform(0.4, 0.92) * (thing.pose[:3, 3] + (0, 0, 0.03) - eye[:3, 3])
            hide = (board, fingers, hand)[rng.choice(3, p=(0.35, 0.3, 0.35))]
            things += hide(rng, between + rng.normal(0.0, 0.03, 3))
    if rng.random() < 0.25:
        things += (fingers, hand)[rng.integers(2)](rng, _place(rng) + np.array([0.0, 0.0, rng.uniform(0.01, 0.15)]))
    return things + (_wall(rng, eye) if rng.random() < 0.25 else [])


def _wall(rng: np.random.Generator, eye: Matrix) -> list[Thing]:
    """Creates a large flat object behind the table."""
    position = eye[:3, 3] - eye[:3, 2] * rng.uniform(1.2, 3.0) + rng.normal(0.0, 0.4, 3)
    pose = np.eye(4)
    pose[:3, :3] = matrix_from_rpy(0.0, 0.0, math.atan2(*(position - eye[:3, 3])[1::-1]) + rng.normal(0.0, 0.4))
    pose[:3, 3] = position
    size = (0.02, float(rng.uniform(0.2, 2.0)), float(rng.uniform(0.2, 1.5)))
    return [Thing(mujoco.mjtGeom.mjGEOM_BOX, pose, size, any_color(rng))]


def _surface(rng: np.random.Generator, textured: float) -> Surface:
    color = rng.uniform(0.15, 1.0) + rng.uniform(-0.35, 0.35, 3)
    red, green, blue = np.clip(color, 0.02, 1.0)
    material = _MATERIALS[0] if rng.random() < textured else _MATERIALS[rng.integers(len(_MATERIALS))]
    return Surface(material, (float(red), float(green), float(blue)))


def _lamps(rng: np.random.Generator) -> tuple[Lamp, ...]:
    if rng.random() < 0.3:  # the lamps of the original scene
        white = np.ones(3)
        return Lamp(None, 0.6 * white, 0.3 * white), Lamp(np.array([0.0, 0.0, -1.0]), 0.7 * white, 0.0 * white)
    lamps = [Lamp(None, rng.uniform(0.0, 0.8) * _tint(rng), rng.uniform(0.1, 0.5) * _tint(rng))]
    for _ in range(rng.integers(1, 3)):
        direction = rng.normal(0.0, 1.0, 3)
        direction[2] = -abs(direction[2]) - 0.3
        direction /= np.linalg.norm(direction)
        lamps.append(Lamp(direction, rng.uniform(0.1, 0.9) * _tint(rng), np.zeros(3)))
    return tuple(lamps)


def _tint(rng: np.random.Generator) -> Vector:
    """Draws the color of a light.

    It is almost white with a probability of 50 %, otherwise any color with a saturation of up to 60 %.
    """
    strength = 0.05 if rng.random() < 0.5 else 0.6
    return np.clip(1.0 - strength * rng.random(3), 0.0, 1.0)
