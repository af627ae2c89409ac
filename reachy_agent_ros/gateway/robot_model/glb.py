"""Triangle meshes: read from STL files, simplified, and written as glTF 2.0 binary files."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fast_simplification
import numpy as np
import numpy.typing as npt

_SHORT, _UNSIGNED_SHORT = 5122, 5123
_VERTICES, _INDICES = 34962, 34963
_FULL = 32767
_STEP = 16
"""Vertices are rounded to this: 0.04 mm on the largest part, and the last bits of none need storing."""


class GlbWriter:
    """Collects meshes and nodes, then makes a file of them."""

    def __init__(self) -> None:
        self._binary = bytearray()
        self._json: dict[str, Any] = {
            "asset": {"version": "2.0"},
            "extensionsUsed": ["KHR_mesh_quantization"],
            "extensionsRequired": ["KHR_mesh_quantization"],
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            **{name: [] for name in ("nodes", "meshes", "materials", "accessors", "bufferViews")},
        }

    def add_material(self, rgba: tuple[float, float, float, float]) -> int:
        """Adds a plain colour, linear; returns its number."""
        material: dict[str, Any] = {
            "pbrMetallicRoughness": {"baseColorFactor": rgba, "metallicFactor": 0.0, "roughnessFactor": 0.6}
        }
        if rgba[3] < 1.0:
            material["alphaMode"] = "BLEND"
        return self._add("materials", material)

    def add_mesh(self, mesh: Mesh, material: int) -> tuple[int, npt.NDArray[np.float64], float]:
        """Adds a mesh.

        Returns:
            Its number; and the centre, m, and the scale that its node must have to give it its size back.
        """
        low, high = mesh.vertices.min(axis=0).astype(np.float64), mesh.vertices.max(axis=0).astype(np.float64)
        centre, scale = (low + high) / 2.0, float((high - low).max() / 2.0)
        faces, order = _in_order_of_use(mesh.faces)
        steps = np.round((mesh.vertices[order] - centre) / scale * (_FULL // _STEP)) * _STEP
        vertices = np.zeros((len(order), 4), "<i2")  # glTF wants every vertex to begin at a multiple of four bytes
        vertices[:, :3] = steps
        bounds = {"min": vertices[:, :3].min(axis=0).tolist(), "max": vertices[:, :3].max(axis=0).tolist()}
        position = self._accessor(vertices, _VERTICES, _SHORT, "VEC3", normalized=True, **bounds)
        indices = self._accessor(faces.astype("<u2").ravel(), _INDICES, _UNSIGNED_SHORT, "SCALAR")
        primitive = {"attributes": {"POSITION": position}, "indices": indices, "material": material}
        return self._add("meshes", {"primitives": [primitive]}), centre, scale * _FULL / (_FULL // _STEP * _STEP)

    def add_node(self, **fields: Any) -> int:
        """Adds a node; the first one is the scene's root. Returns its number."""
        return self._add("nodes", fields)

    def adopt(self, parent: int, child: int) -> None:
        """Hangs a node on another."""
        self._json["nodes"][parent].setdefault("children", []).append(child)

    def content(self) -> bytes:
        """The file."""
        self._json["buffers"] = [{"byteLength": len(self._binary)}]
        text = json.dumps(self._json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(self._binary)
        header = struct.pack("<4sII", b"glTF", 2, size)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(self._binary), b"BIN\0")
        return header + chunks + bytes(self._binary)

    def _accessor(self, values: npt.NDArray[Any], target: int, component: int, kind: str, **fields: Any) -> int:
        view = {"buffer": 0, "byteOffset": len(self._binary), "byteLength": values.nbytes, "target": target}
        if kind == "VEC3":
            view["byteStride"] = values.strides[0]
        self._binary += values.tobytes() + bytes(-values.nbytes % 4)
        count = len(values)
        described = {"bufferView": self._add("bufferViews", view), "componentType": component, "type": kind}
        return self._add("accessors", {**described, "count": count, **fields})

    def _add(self, group: str, item: Any) -> int:
        self._json[group].append(item)
        return len(self._json[group]) - 1


def _in_order_of_use(faces: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Faces whose vertices are numbered as they first appear, which compresses better; and the old numbers of those."""
    used, first, inverse = np.unique(faces.ravel(), return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(order), np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return number[inverse].reshape(-1, 3), used[order]


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
