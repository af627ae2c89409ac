"""From a box in the picture to a place on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from reachy_agent_ros.vision.eye import bearing

TABLE_HEIGHT = 0.0
"""Of the plane that things stand on, m in `base_link`: the robot stands on it too."""

MIDDLE_HEIGHTS = {"apple": 0.044, "croissant": 0.024, "duck": 0.051}
"""How high above the table the ray through the middle of a thing's box passes its own middle, m, by kind.

About half its height, less where most of its outline is low. Fitted on frames of `evaluation/vision/desk_scenes.py`,
other than those that the evaluation measures.
"""

_EDGE = 1.0
"""A box that comes this near the picture's edge, pixels, is of a thing that may go on beyond it."""

_LEAST_DESCENT = 0.08
"""Least downward part of a bearing that is followed to the table: below it, 5 deg, a pixel is decimetres."""

_FARTHEST = 2.0
"""m; no table of this robot's is longer."""

_CENTRE_ERROR = 0.09
"""Standard deviation of a box's middle about the thing's, as a part of the box's size."""

_PIXEL_ERROR = 1.0
"""What comes on top of it, pixels."""

_HEIGHT_ERROR = 0.005
"""Standard deviation of that height, m."""


@dataclass(frozen=True)
class Sighting:
    """Where a detected thing is.

    Attributes:
        detection: What was found.
        bearing: Unit vector from the camera to its middle, in `base_link`.
        position: Of its middle, m in `base_link`; None where only the bearing is known.
        covariance: Of the position, 3x3, m^2; None where that is.
    """

    detection: Detection
    bearing: Vector
    position: Vector | None = None
    covariance: Matrix | None = None


def locate(
    detection: Detection,
    intrinsics: Intrinsics,
    camera: Matrix,
    middle_heights: Mapping[str, float] = MIDDLE_HEIGHTS,
) -> Sighting:
    """Follows the ray through the box's middle to the height at which the middle of such a thing is.

    The box's lower edge would be the textbook's choice. From an eye 20 cm above the table it is worse by a factor of
    two: the ray is shallow there, and the lower edge is not where the thing touches the table.

    There is no position for a kind whose height is unknown, for a box at the picture's edge, whose middle is not the
    thing's, and for a bearing that does not come down on the table within reach.

    Args:
        detection: What was found.
        intrinsics: Of the picture.
        camera: 4x4 transform of `camera_optical` in `base_link` when the picture was taken.
        middle_heights: Kinds that stand on the table, as `MIDDLE_HEIGHTS`.
    """
    direction = bearing(detection.box.centre, intrinsics, camera)
    middle_height = middle_heights.get(detection.label)
    if middle_height is None or touches_edge(detection.box, intrinsics):
        return Sighting(detection, direction)
    distance = _distance(direction, camera[2, 3], TABLE_HEIGHT + middle_height)
    if distance is None:
        return Sighting(detection, direction)
    covariance = _covariance(detection.box, intrinsics, camera, direction, distance)
    return Sighting(detection, direction, camera[:3, 3] + distance * direction, covariance)


def touches_edge(box: BoundingBox, intrinsics: Intrinsics) -> bool:
    """Whether the thing may go on outside the picture."""
    return min(box.x0, box.y0) <= _EDGE or box.x1 >= intrinsics.width - _EDGE or box.y1 >= intrinsics.height - _EDGE


def _distance(direction: Vector, eye_height: float, height: float) -> float | None:
    """How far along a bearing the plane at `height` is, m; None where the two do not meet usefully."""
    descent = -float(direction[2])
    if descent < _LEAST_DESCENT or eye_height <= height:
        return None
    distance = (eye_height - height) / descent
    return distance if distance <= _FARTHEST else None


def _covariance(box: BoundingBox, intrinsics: Intrinsics, camera: Matrix, direction: Vector, distance: float) -> Matrix:
    """First-order propagation of the errors of the box's middle and of the height through the intersection."""
    onto_plane = np.eye(3) - np.outer(direction, [0.0, 0.0, 1.0]) / direction[2]
    across = onto_plane @ camera[:3, :2]  # what moving the ray along the picture's columns and rows does
    depth = distance * float(direction @ camera[:3, 2])
    sizes = np.array([box.x1 - box.x0, box.y1 - box.y0])
    pixels = np.hypot(_CENTRE_ERROR * sizes, _PIXEL_ERROR)
    spread = across * (pixels * depth / intrinsics.focal_length)
    along = direction / direction[2] * _HEIGHT_ERROR
    return np.asarray(spread @ spread.T + np.outer(along, along))
