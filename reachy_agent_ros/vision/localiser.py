"""Localization of detected objects on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from reachy_agent_ros.vision.eye import bearing

TABLE_HEIGHT = 0.0
"""Height of the table in `base_link`, m; the robot stands on it, too."""

MIDDLE_HEIGHTS = {"apple": 0.044, "croissant": 0.024, "duck": 0.051}
"""Height above the table at which the ray through the center of an object's box passes its center, m, by kind.

About half the object's height, less if most of its outline is low. Fitted on frames of
`evaluation/vision/desk_scenes.py` other than those of the evaluation.
"""

_EDGE = 1.0
"""Distance from the edge of the image within which a box may be cut off, pixels."""

_LEAST_DESCENT = 0.08
"""Minimum downward component of a usable bearing (5 deg). Below it, one pixel corresponds to decimeters on the
table."""

_FARTHEST = 2.0
"""Maximum distance, m; no table of this robot is longer."""

_CENTER_ERROR = 0.09
"""Standard deviation of a box's center from that of the object, as a fraction of the box's size."""

_PIXEL_ERROR = 1.0
"""Additional standard deviation, pixels."""

_HEIGHT_ERROR = 0.005
"""Standard deviation of the height in `MIDDLE_HEIGHTS`, m."""


@dataclass(frozen=True)
class Sighting:
    """Direction and, if known, position of a detected object.

    Attributes:
        detection: Detection in the image.
        bearing: Unit vector from the camera to the center of the object, in `base_link`.
        position: Center of the object in `base_link`, m; None if only the bearing is known.
        covariance: 3x3 covariance of the position, m^2; None without a position.
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
    """Locates an object. Intersects the ray through the center of its box with a plane at the height of its center.

    The usual choice is the lower edge of the box. From a camera 20 cm above the table, its error is twice as large,
    because the ray is shallow there, and the lower edge is not the point at which the object touches the table.

    There is no position for an object of unknown height, for a box at the edge of the image, whose center is not the
    center of the object, or for a bearing that does not meet the table within `_FARTHEST`.

    Args:
        detection: Detection in the image.
        intrinsics: Intrinsics of the image.
        camera: 4x4 transform of `camera_optical` in `base_link` at the time of the image, m.
        middle_heights: Heights of the kinds that stand on the table, as `MIDDLE_HEIGHTS`, m.
    """
    direction = bearing(detection.box.center, intrinsics, camera)
    middle_height = middle_heights.get(detection.label)
    if middle_height is None or touches_edge(detection.box, intrinsics):
        return Sighting(detection, direction)
    distance = _distance(direction, camera[2, 3], TABLE_HEIGHT + middle_height)
    if distance is None:
        return Sighting(detection, direction)
    covariance = _covariance(detection.box, intrinsics, camera, direction, distance)
    return Sighting(detection, direction, camera[:3, 3] + distance * direction, covariance)


def touches_edge(box: BoundingBox, intrinsics: Intrinsics) -> bool:
    """Returns whether a box touches the edge of the image, so that the object may extend beyond the image."""
    return min(box.x0, box.y0) <= _EDGE or box.x1 >= intrinsics.width - _EDGE or box.y1 >= intrinsics.height - _EDGE


def _distance(direction: Vector, eye_height: float, height: float) -> float | None:
    """Returns the distance (m) along a direction to the plane at `height`, or None without a usable intersection."""
    descent = -float(direction[2])
    if descent < _LEAST_DESCENT or eye_height <= height:
        return None
    distance = (eye_height - height) / descent
    return distance if distance <= _FARTHEST else None


def _covariance(box: BoundingBox, intrinsics: Intrinsics, camera: Matrix, direction: Vector, distance: float) -> Matrix:
    """Returns the covariance of a position, by first-order propagation of the errors of box center and height."""
    onto_plane = np.eye(3) - np.outer(direction, [0.0, 0.0, 1.0]) / direction[2]
    across = onto_plane @ camera[:3, :2]  # effect of moving the ray along the image's columns and rows
    depth = distance * float(direction @ camera[:3, 2])
    sizes = np.array([box.x1 - box.x0, box.y1 - box.y0])
    pixels = np.hypot(_CENTER_ERROR * sizes, _PIXEL_ERROR)
    spread = across * (pixels * depth / intrinsics.focal_length)
    along = direction / direction[2] * _HEIGHT_ERROR
    return np.asarray(spread @ spread.T + np.outer(along, along))
