"""A simulated scene without the robot: a tenth of the polygons, and nothing to simulate."""

from __future__ import annotations

from pathlib import Path

import mujoco

from reachy_agent_ros.robot.model import compile_model
from reachy_agent_ros.robot.simulation import OBJECTS
from reachy_agent_ros.vision.panel import Panel

EYE = "eye"
"""Name of the camera, and of the body that carries it."""

VERTICAL_FIELD_OF_VIEW = 80.0
"""Of the robot's camera, degrees, as its MJCF has it."""


def scene_without_robot(path: Path, panel: Panel | None = None) -> mujoco.MjModel:
    """Loads what `spec_without_robot` describes.

    Args:
        path: The scene's MJCF.
        panel: What is added to it.
    """
    spec = spec_without_robot(path)
    if panel is not None:
        panel.add_to(spec)
    return compile_model(spec)


def spec_without_robot(path: Path) -> mujoco.MjSpec:
    """A scene of the Reachy Mini with a camera in the robot's place, to add to before it is compiled.

    Every object and the camera are mocap bodies: they stay where they are put.

    Args:
        path: The scene's MJCF.
    """
    spec = mujoco.MjSpec.from_file(str(path))
    for camera in spec.worldbody.cameras:
        spec.delete(camera)  # it follows the robot
    for body in spec.worldbody.bodies:
        if body.name in OBJECTS:
            _pin(spec, body)
        else:
            spec.delete(body)
    _drop_unused_meshes(spec)
    eye = spec.worldbody.add_body(name=EYE, mocap=True)
    eye.add_camera(name=EYE, fovy=VERTICAL_FIELD_OF_VIEW)
    return spec


def _pin(spec: mujoco.MjSpec, body: mujoco.MjsBody) -> None:
    for joint in body.joints:
        spec.delete(joint)
    body.mocap = True


def _drop_unused_meshes(spec: mujoco.MjSpec) -> None:
    used = {geom.meshname for geom in spec.geoms}
    for mesh in spec.meshes:
        if mesh.name not in used:
            spec.delete(mesh)
