"""Distance between the head and the shell of the body, based on the manufacturer's model."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.core.weights import check_sum

FILE = Path(__file__).with_name("head_clearance.npz")

_SHA256 = "c4e189052c5893ca41d74b03a2dbb29a64fbc4926c543f1f8c5c9e0961d45e16"

_GROUP = 0.006
"""Maximum radius of a group of points, m."""


@dataclass(frozen=True)
class Table:
    """Geometry of the head and the shell, sampled by `scripts/head_clearance.py`.

    Attributes:
        field: Distances from the head, in the frame of the head.
        points: Points of the shell in the frame of the body, relative to the neutral head, m; shape (n, 3).
    """

    field: DistanceField
    points: Matrix


class HeadClearance:
    """Computes the distance between the head and the upper shell of the body.

    The head is a signed distance field, and the shell is a set of points.

    For both parts, the stricter of the colliders and the visual meshes in the `reachy_mini` package is used. They are
    sampled by `scripts/head_clearance.py`, which prints the error of this method. No real robot was measured.

    Args:
        table: Geometry of the parts; None for the geometry of the robot.

    Attributes:
        field: Distances from the head.
    """

    def __init__(self, table: Table | None = None) -> None:
        table = table or _read_table()
        self.field = table.field
        self._points = table.points
        self._centers, self._members, self._reaches = _grouped(table.points)
        self._radii = self._reaches.max(axis=1)

    def distance(self, head: Matrix) -> float:
        """Returns the distance (m) between the head and the nearest point of the shell.

        The distance is negative inside the head. The distance field ends at 25 mm.

        Args:
            head: 4x4 transform of `head` relative to neutral in the frame of the turned body, m.
        """
        return float(self.field.at((self._points - head[:3, 3]) @ head[:3, :3]).min())

    def clears(self, rotations: Matrix, translations: Matrix, least: float) -> bool:
        """Returns whether the head keeps a minimum distance from all points of the shell in all given postures.

        A distance cannot change by more than the point moves. Therefore, the distances at the last posture show that
        most groups are also clear of the head at the other postures, and the distance of the center of a group shows
        that most of its points are clear. Only the remaining points are looked up. The last posture, in which the head
        comes to rest, is checked first, because it is the most likely to fail.

        Args:
            rotations: Rotations of the head as in `distance`, shape (postures, 3, 3).
            translations: Translations of the head as in `distance`, m; shape (postures, 3).
            least: Minimum distance, m.
        """
        last = (self._centers - translations[-1]) @ rotations[-1]
        distances = self.field.at(last)
        everything = np.arange(len(last))
        if not self._clear(everything, distances, rotations[-1:], translations[-1:], least):
            return False
        if len(rotations) == 1:
            return True
        places = self._centers @ rotations[:-1] - translations[:-1, None] @ rotations[:-1]
        moved = places - last
        bounds = distances - np.sqrt(np.einsum("ijk,ijk->ij", moved, moved)) - self._radii
        postures, groups = np.nonzero(bounds < least)
        distances = self.field.at(places[postures, groups])
        return self._clear(groups, distances, rotations[postures], translations[postures], least)

    def _clear(
        self, groups: NDArray[np.intp], distances: Vector, rotations: Matrix, translations: Matrix, least: float
    ) -> bool:
        """Returns whether the head keeps a minimum distance from the points of some groups.

        Args:
            groups: Indices of the groups.
            distances: Distances of their centers from the head, m.
            rotations: Rotations of the head, one for each group or one for all.
            translations: Translations of the head, m; one for each group or one for all.
            least: Minimum distance, m.
        """
        if distances.min(initial=np.inf) < least:  # a center is one of the points
            return False
        near, numbers = np.nonzero(distances[:, None] - self._reaches[groups] < least)
        if not len(near):
            return True
        if len(rotations) > 1:
            rotations, translations = rotations[near], translations[near]
        offsets = self._points[self._members[groups[near], numbers]] - translations
        return bool((self.field.at((offsets[:, None] @ rotations)[:, 0]) >= least).all())


class DistanceField:
    """Signed distance field of a rigid part, computed by trilinear interpolation between grid points.

    Args:
        distances: Distances at the grid points, m; negative inside the part; shape (x, y, z).
        origin: First grid point, in the frame of the part, m.
        spacing: Distance between two grid points, m.
    """

    SLACK = 0.001
    """Amount by which two distances may differ in addition to the distance between their points, m: the grid is
    coarse."""

    def __init__(self, distances: Matrix, origin: Vector, spacing: float) -> None:
        self._origin = origin
        self._spacing = spacing
        cells = np.array(distances.shape) - 1
        self._last = cells - 1e-6
        self._strides = np.array([cells[1] * cells[2], cells[2], 1])
        self._coefficients = _trilinear(distances)

    def at(self, places: Matrix) -> Vector:
        """Returns the distances (m) of points from the part.

        For a point outside the grid, the largest component of its offset from the grid is added.

        Args:
            places: Points in the frame of the part, m; shape (n, 3).
        """
        scaled = (places - self._origin) / self._spacing
        inside = np.minimum(np.maximum(scaled, 0.0), self._last)
        cells = inside.astype(np.intp)
        x, y, z = (inside - cells).T
        terms = np.array([np.ones_like(x), z, y, y * z, x, x * z, x * y, x * y * z])
        values = np.einsum("ij,ji->i", self._coefficients.take(cells @ self._strides, axis=0), terms)
        return np.asarray(values + np.abs(scaled - inside).max(axis=1, initial=0.0) * self._spacing)


def _grouped(points: Matrix) -> tuple[Matrix, NDArray[np.intp], Matrix]:
    """Groups nearby points. The center of each group is one of its points.

    Returns:
        The centers of the groups, shape (groups, 3); the indices of their points, shape (groups, size of the largest);
        and for each point, how much nearer to the head it may be than its center, m. Smaller groups are padded with
        minus infinity.
    """
    centers = [points[0]]
    far = np.linalg.norm(points - centers[0], axis=1)
    nearest = np.zeros(len(points), np.intp)
    while far.max() > _GROUP:
        centers.append(points[far.argmax()])
        distances = np.linalg.norm(points - centers[-1], axis=1)
        nearest[distances < far] = len(centers) - 1
        far = np.minimum(far, distances)
    shape = len(centers), np.bincount(nearest).max()
    members, reaches = np.zeros(shape, np.intp), np.full(shape, -np.inf)
    for group in range(len(centers)):
        own = np.flatnonzero(nearest == group)
        members[group, : len(own)] = own
        reaches[group, : len(own)] = far[own] + DistanceField.SLACK
    return np.array(centers), members, reaches


@cache
def _read_table() -> Table:
    check_sum(FILE, _SHA256)
    with np.load(FILE) as content:
        distances = content["distances"].astype(float) * 1e-5
        field = DistanceField(distances, content["origin"], float(content["spacing"]))
        return Table(field, content["points"].astype(float))


def _trilinear(distances: Matrix) -> Matrix:
    """Returns the coefficients of 1, z, y, yz, x, xz, xy and xyz in each cell of the grid, shape (cells, 8).

    With one lookup for each point, instead of one for each corner of its cell, `at` is twice as fast.
    """
    coefficients = []
    for powers in itertools.product((False, True), repeat=3):
        values = distances
        for axis, present in enumerate(powers):
            values = np.diff(values, axis=axis) if present else np.delete(values, -1, axis=axis)
        coefficients.append(values.ravel())
    return np.stack(coefficients, axis=1)
