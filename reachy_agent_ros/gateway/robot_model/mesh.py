"""Triangles: read from STL files, and made fewer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import fast_simplification
import numpy as np
import numpy.typing as npt

_HEADER = 84
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


@dataclass(frozen=True)
class Mesh:
    """A surface.

    Attributes:
        vertices: [n, 3], m.
        faces: [m, 3], which vertices each triangle has, counter-clockwise from outside.
    """

    vertices: npt.NDArray[np.float32]
    faces: npt.NDArray[np.int32]

    @property
    def extent(self) -> npt.NDArray[np.float32]:
        """Sides of the box around it, m."""
        return np.asarray(np.ptp(self.vertices, axis=0))


def read_stl(path: Path) -> Mesh:
    """The mesh of a binary STL file; corners at the same place are one vertex."""
    corners = np.fromfile(path, _TRIANGLE, offset=_HEADER)["corners"].reshape(-1, 3)
    vertices, faces = np.unique(corners, axis=0, return_inverse=True)
    return Mesh(vertices, faces.reshape(-1, 3).astype(np.int32))


def simplified(mesh: Mesh, triangles: int) -> Mesh:
    """A mesh of about as many triangles as wanted, or the same one if it has no more.

    Edges that change the surface least go first (Garland and Heckbert, quadric error metrics, SIGGRAPH 1997).
    """
    if len(mesh.faces) <= triangles:
        return mesh
    vertices, faces = fast_simplification.simplify(mesh.vertices, mesh.faces, target_count=triangles)
    return Mesh(np.asarray(vertices, np.float32), np.asarray(faces, np.int32))
