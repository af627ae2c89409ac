"""A signed distance field: how far places are from a rigid part."""

from __future__ import annotations

import itertools

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector


class DistanceField:
    """Interpolates trilinearly between distances that were sampled on a grid.

    Args:
        distances: At the places of the grid, m, negative inside the part; shape (x, y, z).
        origin: The first of these places, in the frame of the part, m.
        spacing: Between two of them, m.
    """

    SLACK = 0.001
    """m by which the distances at two places may differ by more than the places are apart: the grid is coarse."""

    def __init__(self, distances: Matrix, origin: Vector, spacing: float) -> None:
        self._origin = origin
        self._spacing = spacing
        cells = np.array(distances.shape) - 1
        self._last = cells - 1e-6
        self._strides = np.array([cells[1] * cells[2], cells[2], 1])
        self._coefficients = _trilinear(distances)

    def at(self, places: Matrix) -> Vector:
        """Distances of places from the part, m; a place outside the grid counts from the border of the grid.

        Args:
            places: In the frame of the part, m; shape (n, 3).
        """
        scaled = (places - self._origin) / self._spacing
        inside = np.minimum(np.maximum(scaled, 0.0), self._last)
        cells = inside.astype(np.intp)
        x, y, z = (inside - cells).T
        terms = np.array([np.ones_like(x), z, y, y * z, x, x * z, x * y, x * y * z])
        values = np.einsum("ij,ji->i", self._coefficients.take(cells @ self._strides, axis=0), terms)
        return np.asarray(values + np.abs(scaled - inside).max(axis=1, initial=0.0) * self._spacing)


def _trilinear(distances: Matrix) -> Matrix:
    """Coefficients of 1, z, y, yz, x, xz, xy and xyz in each cell of the grid; shape (cells, 8).

    One look-up for each place, instead of one for each corner of its cell, makes `at` twice as fast.
    """
    coefficients = []
    for powers in itertools.product((False, True), repeat=3):
        values = distances
        for axis, present in enumerate(powers):
            values = np.diff(values, axis=axis) if present else np.delete(values, -1, axis=axis)
        coefficients.append(values.ravel())
    return np.stack(coefficients, axis=1)
