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


class StudioView:
    """Mirrors the robot in a model of its own, loaded with the first picture.

    The neck's passive joints follow from its motors only through the model's constraints, so they are found by
    stepping physics, without gravity or contacts, which would only disturb.

    Args:
        scene: One of `description.SCENES`.
        width: pixels.
        height: pixels.
    """

    def __init__(self, scene: str, width: int, height: int) -> None:
        self._scene = scene
        self._size = (width, height)
        self._renderer: Renderer | None = None

    def capture(self, joints: Mapping[str, float], objects: Mapping[str, Matrix]) -> Image:
        """Draws one picture.

        Args:
            joints: Measured positions by URDF name, rad; those without a motor are ignored.
            objects: 4x4 transforms in `base_link`, m.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE` where nothing can be drawn.
        """
        renderer = self._ready()
        for number in range(self._model.nu):
            actuator = self._model.actuator(number)
            joint = self._model.joint(int(actuator.trnid[0]))
            if joint.name in joints:
                self._data.ctrl[number] = self._data.qpos[joint.qposadr[0]] = joints[joint.name]
        for name, pose in objects.items():
            self._place(name, pose)
        mujoco.mj_step(self._model, self._data, round(_SETTLING_TIME / self._model.opt.timestep))
        return renderer.draw(self._data, _visitor())

    def close(self) -> None:
        """Frees the model."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def _ready(self) -> Renderer:
        if self._renderer is None:
            self._model = compile_model(mujoco.MjSpec.from_file(str(scene_path(self._scene))))
            self._model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_GRAVITY
            self._data = mujoco.MjData(self._model)
            self._renderer = Renderer(self._model, *self._size)
        return self._renderer

    def _place(self, name: str, pose: Matrix) -> None:
        body = self._model.body(name)
        if body.jntnum[0] == 0:
            return  # the table is part of the world
        address = int(self._model.jnt_qposadr[body.jntadr[0]])
        x, y, z, w = quaternion_from_matrix(pose)
        self._data.qpos[address : address + 7] = (*pose[:3, 3], w, x, y, z)


def _visitor() -> mujoco.MjvCamera:
    """In front of the robot, a little to its right and above its head, looking at its neck."""
    camera = mujoco.MjvCamera()
    camera.type = mujoco.mjtCamera.mjCAMERA_FREE
    camera.lookat = np.array([0.0, 0.0, 0.16])
    camera.distance = 0.85
    camera.azimuth = 160.0
    camera.elevation = -12.0
    return camera
