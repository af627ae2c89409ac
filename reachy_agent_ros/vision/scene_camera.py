"""Camera of the simulated robot."""

from __future__ import annotations

import math
from collections.abc import Mapping

import mujoco
import numpy as np

from reachy_agent_ros.core.pose import Matrix, quaternion_from_matrix
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.vision.camera import HEAD_PATIENCE, Frame, HeadHistory, Image, Intrinsics
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.graphics import Renderer, fixed_camera
from reachy_agent_ros.vision.scene_model import EYE, VERTICAL_FIELD_OF_VIEW, Panel, scene_without_robot

_CAMERA_FROM_OPENGL = np.diag([1.0, -1.0, -1.0, 1.0])
"""Rotation from MuJoCo's camera frame, which looks along -z with y up."""


class SceneCamera:
    """Simulated camera that renders the view of the scene from a head pose. The robot itself is not visible.

    Args:
        scene: One of `description.SCENES`.
        width: Width, pixels.
        height: Height, pixels.
        panel: Panel in front of the camera, moved as the object `scene_model.PANEL`; None for no panel.
    """

    def __init__(self, scene: str, width: int, height: int, panel: Panel | None = None) -> None:
        self._scene = scene
        self._panel = panel
        self._intrinsics = Intrinsics.from_field_of_view(width, height, math.radians(VERTICAL_FIELD_OF_VIEW))
        self._renderer: Renderer | None = None

    @property
    def intrinsics(self) -> Intrinsics:
        """Exact intrinsics of the simulated lens."""
        return self._intrinsics

    def open(self) -> None:
        """Loads the scene.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE` if rendering is not possible; the errors of `description.scene_path`.
        """
        self._ready()

    def look(self, heads: HeadHistory, objects: Mapping[str, Matrix], since: float) -> Frame:
        """Renders the camera image for the latest measured head pose.

        Raises:
            AgentError: The errors of `open`; `SERVER_UNAVAILABLE` if no pose of the head arrives.
        """
        stamp, head = heads.newest(since, HEAD_PATIENCE)
        return Frame(self.capture(head, objects), stamp, head, self._intrinsics)

    def capture(self, head: Matrix, objects: Mapping[str, Matrix]) -> Image:
        """Renders the camera image for a head pose.

        Args:
            head: 4x4 transform of `head` in `head_base`, m.
            objects: 4x4 transforms of objects in `base_link`, m; objects that are not given stay in place.

        Raises:
            AgentError: The errors of `open`.
        """
        renderer = self._ready()
        for name, pose in objects.items():
            self._place(name, pose)
        self._place(EYE, camera_pose(head) @ _CAMERA_FROM_OPENGL)
        mujoco.mj_forward(self._model, self._data)
        return renderer.draw(self._data, fixed_camera(self._model, EYE))

    def close(self) -> None:
        """Frees the scene."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def _ready(self) -> Renderer:
        if self._renderer is None:
            self._model = scene_without_robot(scene_path(self._scene), self._panel)
            self._data = mujoco.MjData(self._model)
            # Detectors work as well without antialiasing, and an image is ready 20 ms earlier.
            self._renderer = Renderer(self._model, self._intrinsics.width, self._intrinsics.height, smooth=False)
        return self._renderer

    def _place(self, name: str, pose: Matrix) -> None:
        index = int(self._model.body(name).mocapid[0])
        self._data.mocap_pos[index] = pose[:3, 3]
        x, y, z, w = quaternion_from_matrix(pose)
        self._data.mocap_quat[index] = (w, x, y, z)
