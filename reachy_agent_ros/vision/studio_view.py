"""Studio view: a picture of the complete simulated robot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np

from reachy_agent_ros.core.pose import Matrix, matrix_from_rpy, quaternion_from_matrix
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.robot.mujoco_simulation import compile_model
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.graphics import Renderer

_PAPER = (0.72, 0.78, 0.84)
"""Background color: dark enough for the white body, light enough for the black antennas."""


class StudioView:
    """Renderer for pictures of the robot, with a separate MuJoCo model.

    Args:
        scene: One of `description.SCENES`.
        width: Width, pixels.
        height: Height, pixels.
        paper: Whether the background is one plain color, for pictures on a page.

    Raises:
        AgentError: `CAMERA_UNAVAILABLE` if rendering is not possible; the errors of `description.scene_path`.
    """

    def __init__(self, scene: str, width: int, height: int, paper: bool = False) -> None:
        spec = mujoco.MjSpec.from_file(str(scene_path(scene)))
        if paper:
            _clear(spec)
        self._model = compile_model(spec)
        self._data = mujoco.MjData(self._model)
        self._renderer = Renderer(self._model, width, height)

    def draw(self, joints: Mapping[str, float], objects: Mapping[str, Matrix]) -> Image:
        """Renders one picture.

        Args:
            joints: Measured position of every joint of the URDF by name, rad; the closed chains of the neck need all.
            objects: True 4x4 transforms of the scene's objects in `base_link`, m.
        """
        for number in range(self._model.njnt):
            _turn(self._data, self._model.joint(number), joints)
        for name, pose in objects.items():
            _place(self._model, self._data, name, pose)
        mujoco.mj_forward(self._model, self._data)
        return self._renderer.draw(self._data, _visitor())

    def close(self) -> None:
        """Frees the graphics resources."""
        self._renderer.close()


def _clear(spec: mujoco.MjSpec) -> None:
    """Removes the floor and makes the sky plain. Only the robot and the objects remain visible."""
    for geom in spec.worldbody.geoms:
        if geom.type == mujoco.mjtGeom.mjGEOM_PLANE:
            spec.delete(geom)
    for texture in spec.textures:
        if texture.type == mujoco.mjtTexture.mjTEXTURE_SKYBOX:
            texture.builtin = mujoco.mjtBuiltin.mjBUILTIN_FLAT
            texture.rgb1 = texture.rgb2 = _PAPER


def _turn(data: mujoco.MjData, joint: Any, joints: Mapping[str, float]) -> None:
    """Sets the position of a joint. A ball joint of the model replaces three URDF hinges, in the order x, y, z."""
    address = int(joint.qposadr[0])
    axes = [f"{joint.name}_{axis}" for axis in "xyz"]
    if joint.name in joints:
        data.qpos[address] = joints[joint.name]
    elif all(axis in joints for axis in axes):
        about_x, about_y, about_z = (joints[axis] for axis in axes)
        turn = matrix_from_rpy(about_x, 0, 0) @ matrix_from_rpy(0, about_y, 0) @ matrix_from_rpy(0, 0, about_z)
        data.qpos[address : address + 4] = _wxyz(turn)


def _place(model: mujoco.MjModel, data: mujoco.MjData, name: str, pose: Matrix) -> None:
    body = model.body(name)
    if body.jntnum[0] == 0:
        return  # the table is part of the world
    address = int(model.jnt_qposadr[body.jntadr[0]])
    data.qpos[address : address + 7] = (*pose[:3, 3], *_wxyz(pose))


def _wxyz(rotation: Matrix) -> tuple[float, float, float, float]:
    x, y, z, w = quaternion_from_matrix(rotation)
    return w, x, y, z


def _visitor() -> mujoco.MjvCamera:
    """Returns a camera in front of the robot, slightly to its left and above its head, aimed at its neck."""
    camera = mujoco.MjvCamera()
    camera.type = mujoco.mjtCamera.mjCAMERA_FREE
    camera.lookat = np.array([0.0, 0.0, 0.17])
    camera.distance = 0.7
    camera.azimuth = 205.0
    camera.elevation = -12.0
    return camera
