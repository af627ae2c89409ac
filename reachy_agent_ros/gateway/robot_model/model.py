"""3D model of the robot for web pages: a small GLB file and a description of its joints.

    python -m reachy_agent_ros.gateway.robot_model.model FOLDER

Generated from the meshes of the installed `reachy_mini` package, whose 195,000 triangles are too many for a page.
"""

from __future__ import annotations

import gzip
import json
import os
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse
from xml.etree import ElementTree

import fast_simplification
import numpy as np
import numpy.typing as npt

from reachy_agent_ros.core.pose import Matrix, head_transform, quaternion_from_matrix
from reachy_agent_ros.gateway.robot_model import JOINTS, MODEL
from reachy_agent_ros.robot.urdf import only, robot_description

_SMALLEST = 4e-7
"""Minimum bounding box of a part, m^3. Smaller parts, such as screws and plugs inside motors, are left out."""

_FINENESS = 10_000.0
"""Number of triangles per meter of a part's diagonal."""

_SHORT, _UNSIGNED_SHORT = 5122, 5123
_VERTICES, _INDICES = 34962, 34963
_FULL = 32767
_STEP = 16
"""Step to which vertices are rounded: 0.04 mm for the largest part. Lower bits would only increase the size."""

_HEADER = 84
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def write_model(folder: Path) -> None:
    """Writes `MODEL` and `JOINTS` into a folder.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the `reachy_mini` package is incomplete.
    """
    robot = ElementTree.fromstring(robot_description())  # noqa: S314 - our own text
    content = _model(robot)
    joints = json.dumps({"root": _root(robot), "joints": _joints(robot)}).encode()
    for name, data in ((MODEL, content), (f"{MODEL}.gz", gzip.compress(content, 9, mtime=0)), (JOINTS, joints)):
        part = folder / f".{name}.{os.getpid()}"
        part.write_bytes(data)
        part.replace(folder / name)  # atomic


class _GlbWriter:
    """Writer of a GLB file that collects meshes and nodes."""

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
        """Adds a uniform color in linear RGBA and returns its index."""
        material: dict[str, Any] = {
            "pbrMetallicRoughness": {"baseColorFactor": rgba, "metallicFactor": 0.0, "roughnessFactor": 0.6}
        }
        if rgba[3] < 1.0:
            material["alphaMode"] = "BLEND"
        return self._add("materials", material)

    def add_mesh(self, mesh: Mesh, material: int) -> tuple[int, npt.NDArray[np.float64], float]:
        """Adds a mesh.

        Returns:
            Index of the mesh, and the center (m) and scale that its node needs to restore the original size.
        """
        low, high = mesh.vertices.min(axis=0).astype(np.float64), mesh.vertices.max(axis=0).astype(np.float64)
        centre, scale = (low + high) / 2.0, float((high - low).max() / 2.0)
        faces, order = _in_order_of_use(mesh.faces)
        steps = np.round((mesh.vertices[order] - centre) / scale * (_FULL // _STEP)) * _STEP
        vertices = np.zeros((len(order), 4), "<i2")  # glTF requires vertices to be aligned to four bytes
        vertices[:, :3] = steps
        bounds = {"min": vertices[:, :3].min(axis=0).tolist(), "max": vertices[:, :3].max(axis=0).tolist()}
        position = self._accessor(vertices, _VERTICES, _SHORT, "VEC3", normalized=True, **bounds)
        indices = self._accessor(faces.astype("<u2").ravel(), _INDICES, _UNSIGNED_SHORT, "SCALAR")
        primitive = {"attributes": {"POSITION": position}, "indices": indices, "material": material}
        return self._add("meshes", {"primitives": [primitive]}), centre, scale * _FULL / (_FULL // _STEP * _STEP)

    def add_node(self, **fields: Any) -> int:
        """Adds a node and returns its index. The first node is the root of the scene."""
        return self._add("nodes", fields)

    def adopt(self, parent: int, child: int) -> None:
        """Makes a node the child of another node."""
        self._json["nodes"][parent].setdefault("children", []).append(child)

    def content(self) -> bytes:
        """Returns the content of the file."""
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


@dataclass(frozen=True)
class Mesh:
    """Triangle mesh.

    Attributes:
        vertices: Vertices, shape [n, 3], m.
        faces: Vertex indices of each triangle, shape [m, 3], counter-clockwise when seen from outside.
    """

    vertices: npt.NDArray[np.float32]
    faces: npt.NDArray[np.int32]

    @property
    def extent(self) -> npt.NDArray[np.float32]:
        """Side lengths of the bounding box (m)."""
        return np.asarray(np.ptp(self.vertices, axis=0))


def read_stl(path: Path) -> Mesh:
    """Reads a binary STL file and merges identical vertices."""
    corners = np.fromfile(path, _TRIANGLE, offset=_HEADER)["corners"].reshape(-1, 3)
    vertices, faces = np.unique(corners, axis=0, return_inverse=True)
    return Mesh(vertices, faces.reshape(-1, 3).astype(np.int32))


def simplified(mesh: Mesh, triangles: int) -> Mesh:
    """Simplifies a mesh to about `triangles` triangles. Returns smaller meshes unchanged.

    Removes the edges that change the surface least (Garland and Heckbert, quadric error metrics, SIGGRAPH 1997).
    """
    if len(mesh.faces) <= triangles:
        return mesh
    vertices, faces = fast_simplification.simplify(mesh.vertices, mesh.faces, target_count=triangles)
    return Mesh(np.asarray(vertices, np.float32), np.asarray(faces, np.int32))


def _model(robot: ElementTree.Element) -> bytes:
    writer = _GlbWriter()
    root = _root(robot)
    links = {root: writer.add_node(name=root)}
    for link in robot.iter("link"):
        name = link.get("name", "")
        if name != root:
            links[name] = writer.add_node(name=name, **_placed(_origin(_joint_of(robot, name))))
    for joint in robot.iter("joint"):
        writer.adopt(links[_end(joint, "parent")], links[_end(joint, "child")])
    meshes: dict[str, Any] = {}
    materials: dict[str, int] = {}
    for link in robot.iter("link"):
        for visual in link.iter("visual"):
            _add_visual(writer, links[link.get("name", "")], visual, meshes, materials)
    return writer.content()


def _add_visual(
    writer: _GlbWriter, link: int, visual: ElementTree.Element, meshes: dict[str, Any], materials: dict[str, int]
) -> None:
    """Attaches a part to its link. Identical parts are stored once."""
    file = only(visual, "geometry/mesh").get("filename", "")
    if file not in meshes:
        full = read_stl(Path(unquote(urlparse(file).path)))
        if float(np.prod(full.extent)) < _SMALLEST:
            meshes[file] = None
        else:
            rgba = only(visual, "material/color").get("rgba", "1 1 1 1")
            if rgba not in materials:
                materials[rgba] = writer.add_material(_linear(rgba))
            triangles = round(_FINENESS * float(np.linalg.norm(full.extent)))
            meshes[file] = writer.add_mesh(simplified(full, triangles), materials[rgba])
    if meshes[file] is not None:
        mesh, centre, scale = meshes[file]
        placed = _origin(visual)
        placed[:3, 3] += placed[:3, :3] @ centre
        writer.adopt(link, writer.add_node(mesh=mesh, scale=[scale] * 3, **_placed(placed)))


def _joints(robot: ElementTree.Element) -> list[Mapping[str, Any]]:
    """Returns each movable joint's name, type, child link, and axis in the frame of the child link."""
    return [
        {"name": joint.get("name"), "type": joint.get("type"), "link": _end(joint, "child"), "axis": _axis(joint)}
        for joint in robot.iter("joint")
        if joint.get("type") != "fixed"
    ]


def _axis(joint: ElementTree.Element) -> list[float]:
    axis = joint.find("axis")
    return [0.0, 0.0, 1.0] if axis is None else [float(number) for number in axis.get("xyz", "").split()]


def _root(robot: ElementTree.Element) -> str:
    children = {_end(joint, "child") for joint in robot.iter("joint")}
    return next(name for link in robot.iter("link") if (name := link.get("name", "")) not in children)


def _joint_of(robot: ElementTree.Element, link: str) -> ElementTree.Element:
    return next(joint for joint in robot.iter("joint") if _end(joint, "child") == link)


def _end(joint: ElementTree.Element, which: str) -> str:
    return only(joint, which).get("link", "")


def _origin(element: ElementTree.Element) -> Matrix:
    origin = element.find("origin")
    found = {} if origin is None else dict(origin.items())
    x, y, z = (float(number) for number in found.get("xyz", "0 0 0").split())
    roll, pitch, yaw = (float(number) for number in found.get("rpy", "0 0 0").split())
    return head_transform(roll, pitch, yaw, x, y, z)


def _placed(transform: Matrix) -> Mapping[str, list[float]]:
    rotation = [round(float(number), 7) for number in quaternion_from_matrix(transform)]
    return {"translation": [round(float(number), 7) for number in transform[:3, 3]], "rotation": rotation}


def _linear(rgba: str) -> tuple[float, float, float, float]:
    """Converts an sRGB color of a URDF to the linear RGB of glTF (IEC 61966-2-1)."""
    *shown, alpha = (float(number) for number in rgba.split())
    red, green, blue = (
        round(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4, 5) for value in shown
    )
    return red, green, blue, round(alpha, 3)


def _in_order_of_use(faces: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Renumbers vertices in the order of first use, to improve compression. Returns faces and old vertex numbers."""
    used, first, inverse = np.unique(faces.ravel(), return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(order), np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return number[inverse].reshape(-1, 3), used[order]


if __name__ == "__main__":
    os.nice(10)
    write_model(Path(sys.argv[1]))
