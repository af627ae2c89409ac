"""A picture of the whole simulated robot, as a visitor sees it."""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np

from reachy_agent_ros.core.pose import Matrix, quaternion_from_matrix
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.robot.model import compile_model
from reachy_agent_ros.seeing.camera import Image
from reachy_agent_ros.seeing.graphics import Renderer

_SETTLING_TIME = 1.0
"""s of physics until the closed chains of the neck fit the motors' positions."""


def draw_studio(
    scene: str, width: int, height: int, joints: Mapping[str, float], objects: Mapping[str, Matrix]
) -> Image:
    """Mirrors the robot in a model of its own and draws that.

    The neck's passive joints follow from its motors only through the model's constraints, so they are found by
    stepping physics, without gravity or contacts, which would only disturb.

    Args:
        scene: One of `description.SCENES`.
        width: pixels.
        height: pixels.
        joints: Measured positions by URDF name, rad; those without a motor are ignored.
        objects: True 4x4 transforms in `base_link`, m, of the scene's objects.

    Raises:
        AgentError: `CAMERA_UNAVAILABLE` where nothing can be drawn.
    """
    model = compile_model(mujoco.MjSpec.from_file(str(scene_path(scene))))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_GRAVITY
    data = mujoco.MjData(model)
    _set_motors(model, data, joints)
    for name, pose in objects.items():
        _place(model, data, name, pose)
    mujoco.mj_step(model, data, round(_SETTLING_TIME / model.opt.timestep))
    renderer = Renderer(model, width, height)
    image = renderer.draw(data, _visitor())
    renderer.close()
    return image


def _set_motors(model: mujoco.MjModel, data: mujoco.MjData, joints: Mapping[str, float]) -> None:
    for number in range(model.nu):
        joint = model.joint(int(model.actuator(number).trnid[0]))
        if joint.name in joints:
            data.ctrl[number] = data.qpos[joint.qposadr[0]] = joints[joint.name]


def _place(model: mujoco.MjModel, data: mujoco.MjData, name: str, pose: Matrix) -> None:
    body = model.body(name)
    if body.jntnum[0] == 0:
        return  # the table is part of the world
    address = int(model.jnt_qposadr[body.jntadr[0]])
    x, y, z, w = quaternion_from_matrix(pose)
    data.qpos[address : address + 7] = (*pose[:3, 3], w, x, y, z)


def _visitor() -> mujoco.MjvCamera:
    """In front of the robot, a little to its left and above its head, looking at its neck."""
    camera = mujoco.MjvCamera()
    camera.type = mujoco.mjtCamera.mjCAMERA_FREE
    camera.lookat = np.array([0.0, 0.0, 0.17])
    camera.distance = 0.7
    camera.azimuth = 205.0
    camera.elevation = -12.0
    return camera
