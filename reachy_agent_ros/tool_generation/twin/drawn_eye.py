"""An eye that needs no graphics: it draws a desk with three things, and knows what it drew."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw

from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.tool_generation.twin.eye import HEIGHT, WIDTH, Eye
from reachy_agent_ros.vision.bearing import pixel_of
from reachy_agent_ros.vision.camera import Image, Intrinsics
from reachy_agent_ros.vision.detection import Box, Detection
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.localiser import MIDDLE_HEIGHTS
from reachy_agent_ros.vision.scene_model import VERTICAL_FIELD_OF_VIEW

_WALL, _TABLE = (196, 205, 212), (146, 104, 68)

_CONFIDENCE = 0.9

_LEAST_SHOWN = 0.3
"""Share of a thing's box that must be within the picture for it to be recognised."""


class _Thing(NamedTuple):
    """Something on the desk: an ellipse of half axes in m, where the simulated desk has the real model of it."""

    label: str
    x: float
    y: float
    half_width: float
    half_height: float
    colour: tuple[int, int, int]


_THINGS = (
    _Thing("apple", 0.6, -0.2, 0.040, 0.040, (178, 34, 42)),
    _Thing("croissant", 0.6, 0.1, 0.062, 0.026, (206, 138, 58)),
    _Thing("duck", 0.6, 0.3, 0.044, 0.050, (244, 206, 44)),
)


class DrawnEye(Eye):
    """Picture, detections and answers agree, because all come from where the things are. Deterministic."""

    def __init__(self) -> None:
        super().__init__(Intrinsics.from_field_of_view(WIDTH, HEIGHT, math.radians(VERTICAL_FIELD_OF_VIEW)))
        columns, rows = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
        cx, cy = self._intrinsics.centre
        focal = np.full_like(columns, self._intrinsics.focal_length)
        self._rays = np.stack((columns - cx, rows - cy, focal), axis=-1)

    def picture(self, measured: Measurement) -> Image:
        """The desk from where the head is."""
        camera = camera_pose(measured.pose.head)
        below = self._rays @ camera[2, :3] < 0.0
        image = PillowImage.fromarray(np.where(below[..., None], _TABLE, _WALL).astype(np.uint8))
        brush = ImageDraw.Draw(image)
        for thing in _THINGS:
            box = self._box(thing, camera)
            if box is not None:
                brush.ellipse(tuple(box), fill=thing.colour)
        return np.asarray(image)

    def detections(self, measured: Measurement) -> list[Detection]:
        """The things that are in that picture for a good part."""
        camera = camera_pose(measured.pose.head)
        found = []
        for thing in _THINGS:
            box = self._box(thing, camera)
            shown = box and _within(box)
            if box and shown and shown.area >= _LEAST_SHOWN * box.area:
                found.append(Detection(thing.label, _CONFIDENCE, shown))
        return found

    def close(self) -> None:
        """Holds nothing."""

    def _box(self, thing: _Thing, camera: Matrix) -> Box | None:
        """Box around a thing, also where that is outside the picture; None behind the eye."""
        middle = np.array([thing.x, thing.y, MIDDLE_HEIGHTS[thing.label]])
        seen = camera[:3, :3].T @ (middle - camera[:3, 3])
        pixel = pixel_of(seen, self._intrinsics)
        if pixel is None:
            return None
        scale = self._intrinsics.focal_length / float(seen[2])
        width, height = scale * thing.half_width, scale * thing.half_height
        return Box(pixel[0] - width, pixel[1] - height, pixel[0] + width, pixel[1] + height)


def _within(box: Box) -> Box:
    return Box(max(box.x0, 0.0), max(box.y0, 0.0), min(box.x1, float(WIDTH)), min(box.y1, float(HEIGHT)))
