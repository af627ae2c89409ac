"""Generator of labeled desk scenes for the evaluation of detectors, rendered with MuJoCo.

This generator and that of the built-in detector's training frames were written independently and share only the scene
of the Reachy Mini: lamps, surfaces, props, camera paths and camera faults differ.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from evaluation.vision.desk_look import geoms_of, light, paint, photograph, show
from evaluation.vision.desk_props import COVERS, HAND, HIDDEN_GROUP, PROPS, add_props
from evaluation.vision.labeling import Labeler, box_of
from reachy_agent_ros.core.pose import Matrix, Vector, head_transform, quaternion_from_matrix
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.robot.mujoco_simulation import compile_model
from reachy_agent_ros.vision.camera import Image, Intrinsics
from reachy_agent_ros.vision.detection import BoundingBox
from reachy_agent_ros.vision.eye import camera_pose, pixel_of
from reachy_agent_ros.vision.graphics import Renderer, fixed_camera
from reachy_agent_ros.vision.scene_model import EYE, VERTICAL_FIELD_OF_VIEW, spec_without_robot

KINDS = ("apple", "croissant", "duck")

FRAMES_PER_SCENE = 3

_OPENGL = np.diag([1.0, -1.0, -1.0, 1.0])
_LEAST_PIXELS = 30
_APART = 0.13  # m between the centers of two objects
_UPRIGHT = head_transform(roll=math.pi / 2)
"""Rotation of the meshes, which have y up."""


@dataclass(frozen=True)
class Truth:
    """Ground truth of one object in a frame.

    Attributes:
        label: Kind of object.
        box: Box around its visible pixels.
        visible: Visible fraction of its outline, 0 to 1.
        center: Center of its mesh's bounding box in `base_link`, m.
    """

    label: str
    box: BoundingBox
    visible: float
    center: Vector


@dataclass(frozen=True)
class LabeledFrame:
    """Image of a desk scene with its ground truth.

    Attributes:
        image: Camera image.
        camera: 4x4 transform of `camera_optical` in `base_link`, m.
        truths: All objects of `KINDS` with at least 30 visible pixels.
    """

    image: Image
    camera: Matrix
    truths: tuple[Truth, ...]


class DeskScenes:
    """Generator of labeled frames.

    Args:
        seed: Random seed; frames are reproducible on the same machine.
        width: Width, pixels.
        height: Height, pixels.
    """

    def __init__(self, seed: int, width: int = 320, height: int = 240) -> None:
        self.intrinsics = Intrinsics.from_field_of_view(width, height, math.radians(VERTICAL_FIELD_OF_VIEW))
        self._rng = np.random.default_rng(seed)
        spec = spec_without_robot(scene_path("minimal"))
        add_props(spec)
        self._model = compile_model(spec)
        self._model.stat.extent, self._model.vis.map.znear = (
            2.0,
            0.005,
        )  # the walls must not enlarge the near clipping distance
        self._data = mujoco.MjData(self._model)
        self._labeler = Labeler(self._model, self.intrinsics)
        self._middles = {kind: _middle(self._model, kind) for kind in KINDS}

    def frames(self, count: int) -> Iterator[LabeledFrame]:
        """Yields frames. `FRAMES_PER_SCENE` successive frames show the same scene."""
        while count > 0:
            things, views = self._arrange(), self._views()
            self._cover(things, views[len(views) // 2])
            renderer = Renderer(self._model, self.intrinsics.width, self.intrinsics.height)  # with the new textures
            for view, after in itertools.islice(itertools.pairwise(views), count):
                yield self._frame(renderer, view, after, things)
            renderer.close()
            count -= FRAMES_PER_SCENE

    def close(self) -> None:
        """Frees the resources of the scene."""
        self._labeler.close()

    def _arrange(self) -> list[str]:
        """Arranges a new desk with random objects, positions and appearance. Returns the objects."""
        paint(self._model, self._rng)
        light(self._model, self._rng)
        things = [kind for kind in KINDS if self._rng.random() < 0.8]
        others = [prop for prop in PROPS if prop != HAND and self._rng.random() < 0.25]
        show(self._model, others, *(self._rng.random(2) < (0.45, 0.6)))
        for kind in KINDS:
            self._model.geom_group[geoms_of(self._model, kind)] = 0 if kind in things else HIDDEN_GROUP
        places = self._places(len(things) + len(others))
        for name, (x, y) in zip([*things, *others], places, strict=True):
            self._place(name, head_transform(yaw=self._rng.uniform(-math.pi, math.pi), x=x, y=y))
        for kind in things:
            self._lay_down(kind)
        return things

    def _places(self, count: int) -> NDArray[np.float64]:
        """Returns random points on the desk that are far enough from each other."""
        found: list[NDArray[np.float64]] = []
        while len(found) < count:
            point = self._rng.uniform((0.27, -0.32), (0.85, 0.32))
            if all(np.hypot(*(point - other)) > _APART for other in found):
                found.append(point)
        return np.array(found).reshape(-1, 2)

    def _lay_down(self, kind: str) -> None:
        """Rotates an object at random, and places it on the desk."""
        x, y, _ = self._data.mocap_pos[self._mocap(kind)]
        pose = head_transform(yaw=self._rng.uniform(-math.pi, math.pi), x=x, y=y) @ _UPRIGHT
        if kind == "apple":
            pose = pose @ head_transform(roll=self._rng.normal(0.0, 0.5), pitch=self._rng.uniform(-math.pi, math.pi))
        corners = _vertices(self._model, kind) @ pose[:3, :3].T
        pose[2, 3] = -corners[:, 2].min()
        self._place(kind, pose)

    def _views(self) -> list[Matrix]:
        """Returns head poses along a smooth gaze from one point on the desk to another.

        The number of poses is one more than the number of frames.
        """
        start, end = self._rng.uniform((0.3, -0.35, 0.0), (1.0, 0.35, 0.1), (2, 3))
        lean, tilt, phase = self._rng.uniform(-0.02, 0.02, 3), self._rng.uniform(0.0, 0.35), self._rng.uniform(0.0, 6.3)
        poses = []
        for fraction in np.linspace(0.0, 1.0, FRAMES_PER_SCENE + 1):
            x, y, z = start + (3 * fraction**2 - 2 * fraction**3) * (end - start)
            pitch = min(math.atan2(0.2295 - z, math.hypot(x, y)), 0.6)
            roll = tilt * math.sin(phase + 2.0 * fraction)
            poses.append(head_transform(roll, pitch, math.atan2(y, x), *lean))
        return [camera_pose(pose) for pose in poses]

    def _cover(self, things: Sequence[str], camera: Matrix) -> None:
        """Places an obstacle between the camera and one of the objects in half of the scenes."""
        if not things or self._rng.random() > 0.5:
            return
        target = self._center(str(self._rng.choice(things)))
        eye = camera[:3, 3]
        aside = self._rng.normal(0.0, 0.035, 3)
        if self._rng.random() < 0.5:
            place = eye + self._rng.uniform(0.55, 0.85) * (target - eye) + aside
            yaw = self._rng.uniform(0.4, 2.0 * math.pi - 0.4)  # an arm comes from any direction except the robot's
            hand = head_transform(self._rng.uniform(-1, 1), self._rng.uniform(-0.5, 0.4), yaw, *place)
            self._show(HAND, hand)
            return
        place = eye + self._rng.uniform(0.5, 0.8) * (target - eye) + 1.3 * aside
        standing = head_transform(yaw=self._rng.uniform(-math.pi, math.pi), x=place[0], y=place[1])
        self._show(str(self._rng.choice(COVERS)), standing)

    def _frame(self, renderer: Renderer, camera: Matrix, after: Matrix, things: Sequence[str]) -> LabeledFrame:
        self._place(EYE, camera @ _OPENGL)
        mujoco.mj_forward(self._model, self._data)
        drawn = renderer.draw(self._data, fixed_camera(self._model, EYE))
        sway = _sway(camera, after, self.intrinsics) * self._rng.uniform(0.0, 0.06)
        truths = [truth for kind in things for truth in self._truth(kind)]
        return LabeledFrame(photograph(drawn, sway, self._rng), camera, tuple(truths))

    def _truth(self, kind: str) -> Iterator[Truth]:
        mask, visible = self._labeler.visible(self._data, kind)
        if mask.sum() >= _LEAST_PIXELS:
            yield Truth(kind, box_of(mask), visible, self._center(kind))

    def _center(self, kind: str) -> Vector:
        mujoco.mj_forward(self._model, self._data)
        body = self._data.body(kind)
        return np.asarray(body.xmat.reshape(3, 3) @ self._middles[kind] + body.xpos)

    def _show(self, prop: str, pose: Matrix) -> None:
        self._model.geom_group[geoms_of(self._model, prop)] = 0
        self._place(prop, pose)

    def _place(self, name: str, pose: Matrix) -> None:
        self._data.mocap_pos[self._mocap(name)] = pose[:3, 3]
        x, y, z, w = quaternion_from_matrix(pose)
        self._data.mocap_quat[self._mocap(name)] = (w, x, y, z)

    def _mocap(self, name: str) -> int:
        return int(self._model.body(name).mocapid[0])


def _vertices(model: mujoco.MjModel, body: str) -> NDArray[np.float64]:
    """Returns the vertices (m) of a body's mesh in the frame of the body, as an array of shape (N, 3)."""
    [geom] = geoms_of(model, body)
    mesh = model.mesh(int(model.geom_dataid[geom]))
    start, count = int(mesh.vertadr[0]), int(mesh.vertnum[0])
    rotation = np.empty(9)
    mujoco.mju_quat2Mat(rotation, model.geom_quat[geom])
    vertices = model.mesh_vert[start : start + count].astype(np.float64)
    return np.asarray(vertices @ rotation.reshape(3, 3).T + model.geom_pos[geom])


def _middle(model: mujoco.MjModel, body: str) -> Vector:
    """Returns the center (m) of the bounding box of a body's mesh, in the frame of the body.

    The center is up to 5 cm away from the origin.
    """
    vertices = _vertices(model, body)
    return np.asarray((vertices.min(axis=0) + vertices.max(axis=0)) / 2.0)


def _sway(camera: Matrix, after: Matrix, intrinsics: Intrinsics) -> NDArray[np.float64]:
    """Returns the image motion (at most 60 pixels) of a point straight ahead between two camera poses."""
    ahead = np.linalg.inv(after) @ camera @ np.array([0.0, 0.0, 0.6, 1.0])
    pixel = pixel_of(ahead[:3], intrinsics)
    return np.zeros(2) if pixel is None else np.clip(np.array(pixel) - intrinsics.center, -60.0, 60.0)
