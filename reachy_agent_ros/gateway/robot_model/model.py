"""The robot as a web page draws it: a small GLB file, and what its joints turn about.

    python -m reachy_agent_ros.gateway.robot_model.model FOLDER

It is derived from the meshes of the installed `reachy_mini` package, whose 195,000 triangles are too many for a page.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse
from xml.etree import ElementTree

import numpy as np

from reachy_agent_ros.core.pose import Matrix, head_transform, quaternion_from_matrix
from reachy_agent_ros.gateway.robot_model import JOINTS, MODEL
from reachy_agent_ros.gateway.robot_model.glb import GlbWriter, read_stl, simplified
from reachy_agent_ros.robot.urdf import only, robot_description

SMALLEST = 4e-7
"""Boxes of parts smaller than this, m^3, are screws and plugs within motors: they are left out."""

FINENESS = 10_000.0
"""Triangles for every metre across a part."""


def write_model(folder: Path) -> None:
    """Writes `MODEL` and `JOINTS` into a folder.

    Raises:
        AgentError: `ROBOT_DISCONNECTED` where the `reachy_mini` package is incomplete.
    """
    robot = ElementTree.fromstring(robot_description())  # noqa: S314 - our own text
    content = _model(robot)
    joints = json.dumps({"root": _root(robot), "joints": _joints(robot)}).encode()
    for name, data in ((MODEL, content), (f"{MODEL}.gz", gzip.compress(content, 9, mtime=0)), (JOINTS, joints)):
        part = folder / f".{name}.{os.getpid()}"
        part.write_bytes(data)
        part.replace(folder / name)  # whole or not at all


def _model(robot: ElementTree.Element) -> bytes:
    writer = GlbWriter()
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
    writer: GlbWriter, link: int, visual: ElementTree.Element, meshes: dict[str, Any], materials: dict[str, int]
) -> None:
    """Hangs a part on its link; the same part is stored once."""
    file = only(visual, "geometry/mesh").get("filename", "")
    if file not in meshes:
        full = read_stl(Path(unquote(urlparse(file).path)))
        if float(np.prod(full.extent)) < SMALLEST:
            meshes[file] = None
        else:
            rgba = only(visual, "material/color").get("rgba", "1 1 1 1")
            if rgba not in materials:
                materials[rgba] = writer.add_material(_linear(rgba))
            triangles = round(FINENESS * float(np.linalg.norm(full.extent)))
            meshes[file] = writer.add_mesh(simplified(full, triangles), materials[rgba])
    if meshes[file] is not None:
        mesh, centre, scale = meshes[file]
        placed = _origin(visual)
        placed[:3, 3] += placed[:3, :3] @ centre
        writer.adopt(link, writer.add_node(mesh=mesh, scale=[scale] * 3, **_placed(placed)))


def _joints(robot: ElementTree.Element) -> list[Mapping[str, Any]]:
    """Every joint that moves: its name, its kind, the link that it turns and the axis in that link's frame."""
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
    """A URDF's colour as glTF wants it (IEC 61966-2-1)."""
    *shown, alpha = (float(number) for number in rgba.split())
    red, green, blue = (
        round(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4, 5) for value in shown
    )
    return red, green, blue, round(alpha, 3)


if __name__ == "__main__":
    os.nice(10)
    write_model(Path(sys.argv[1]))
