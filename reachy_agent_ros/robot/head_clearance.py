"""How far the head is from the shell of the body, by the manufacturer's model."""

from __future__ import annotations

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
"""Greatest radius of a group of points, m."""

_FIELD_ERROR = 0.001
"""m by which two values of the field may differ by more than the places are apart."""

_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])


@dataclass(frozen=True)
class Table:
    """What `scripts/head_clearance.py` writes.

    Attributes:
        distances: Of a grid of places from the head, m; shape (x, y, z).
        origin: The first of these places, in the head's frame, m.
        spacing: Between two of them, m.
        points: Of the shell, m, in the frame of the body, relative to the neutral head; shape (n, 3).
    """

    distances: Matrix
    origin: Vector
    spacing: float
    points: Matrix


class HeadClearance:
    """Distance between two rigid parts: the head, as a signed distance field, and points of the body's upper shell.

    Both are the stricter of the colliders and the visual meshes in the `reachy_mini` package. They are sampled by
    `scripts/head_clearance.py`, which prints by how much this errs. No real robot was measured.

    Args:
        table: Another one than that of the robot.
    """

    def __init__(self, table: Table | None = None) -> None:
        self._table = table or _read_table()
        y, z = self._table.distances.shape[1:]
        self._flat = self._table.distances.ravel()
        self._strides = np.array([y * z, z, 1])
        self._corners = _CORNERS @ self._strides
        self._last = np.array(self._table.distances.shape) - 1.000001

        self._centers, self._groups, self._radii = _grouped(self._table.points)

    def distance(self, head: Matrix) -> float:
        """Distance of the nearest of the points from the head, m; negative inside of it. The field ends at 25 mm.

        Args:
            head: 4x4 transform of `head`, relative to neutral, in the frame of the body, which may be turned.
        """
        return float(self.distances(head[:3, 3] - self._table.points, head[:3, :3]).min())

    def clears(self, rotations: Matrix, translations: Matrix, least: float) -> bool:
        """Whether the head is at least so far, m, from all of the points at every one of some postures.

        A point is no nearer than its group's center less the group's radius, so most points need not be looked at.

        Args:
            rotations: Of `distance`'s transforms, shape (postures, 3, 3).
            translations: Likewise, m; shape (postures, 3).
            least: Distance, m.
        """
        room = self.distances(translations[:, None] - self._centers, rotations) - self._radii
        postures, points = np.nonzero((room < least)[:, self._groups])
        if not len(postures):
            return True
        offsets = translations[postures] - self._table.points[points]
        return bool((self.distances(offsets[:, None], rotations[postures]) >= least).all())

    def distances(self, offsets: Matrix, rotations: Matrix) -> Matrix:
        """Distances of points from the head, m; one outside of the field counts from the field's border.

        Args:
            offsets: From the points to the head's origin, m; shape (..., points, 3).
            rotations: Of the head; shape (..., 3, 3).
        """
        table = self._table
        places = (-offsets @ rotations - table.origin) / table.spacing
        inside = np.minimum(np.maximum(places, 0.0), self._last)
        cells = inside.astype(int)
        shares = inside - cells
        values = self._flat[(cells @ self._strides)[..., None] + self._corners]
        for axis in range(3):
            half = values.shape[-1] // 2
            values = values[..., :half] + shares[..., axis, None] * (values[..., half:] - values[..., :half])
        return np.asarray(values[..., 0] + np.abs(places - inside).max(axis=-1) * table.spacing)


def _grouped(points: Matrix) -> tuple[Matrix, NDArray[np.intp], Vector]:
    """Centers of groups, the group of each point, and the groups' radii, m."""
    centers = [points[0]]
    far = np.linalg.norm(points - centers[0], axis=1)
    nearest = np.zeros(len(points), np.intp)
    while far.max() > _GROUP:
        centers.append(points[far.argmax()])
        distances = np.linalg.norm(points - centers[-1], axis=1)
        nearest[distances < far] = len(centers) - 1
        far = np.minimum(far, distances)
    radii = np.array([far[nearest == group].max() for group in range(len(centers))])
    return np.array(centers), nearest, radii + _FIELD_ERROR


@cache
def _read_table() -> Table:
    check_sum(FILE, _SHA256)
    with np.load(FILE) as content:
        distances = content["distances"].astype(float) * 1e-5
        return Table(distances, content["origin"], float(content["spacing"]), content["points"].astype(float))
