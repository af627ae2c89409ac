"""Renderer of scenes, which labels the objects in an image from the segmentation of MuJoCo."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.pose import Matrix, Vector, quaternion_from_matrix
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.graphics import Renderer, fixed_camera
from reachy_agent_ros.vision.scene_model import EYE, scene_without_robot
from training.desk_detector.label import Label
from training.desk_detector.random_scene import Shapes
from training.desk_detector.scene import KINDS, Lamp, Scene, Surface, Thing

_HIDDEN = 5  # a geom group that is not drawn
_MAX_THINGS = 200
_MAX_LAMPS = 3


class SceneRenderer(Renderer):
    """Renderer that draws and labels scenes.

    Only the table and the floor belong to the model; other bodies are added later.

    Args:
        width: Width of the images, pixels.
        height: Height of the images, pixels.
    """

    def __init__(self, width: int, height: int) -> None:
        model = scene_without_robot(scene_path("minimal"))
        super().__init__(model, width, height)
        self._scene = mujoco.MjvScene(model, maxgeom=model.ngeom + _MAX_THINGS)
        self._scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = False
        self._scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False
        self._data = mujoco.MjData(model)
        mujoco.mj_forward(model, self._data)
        self._meshes = {kind: model.geom(f"{kind}_geom") for kind in KINDS}
        for geom in self._meshes.values():
            model.geom_group[geom.id] = _HIDDEN

    def shapes(self) -> Shapes:
        """Returns the upright rotation and the corners of every kind of object."""
        return {kind: (self._data.body(kind).xmat.reshape(3, 3).copy(), self._corners(kind)) for kind in KINDS}

    def render(self, scene: Scene) -> tuple[Image, list[Label]]:
        """Draws a scene, and labels every object of `KINDS` with a visible pixel."""
        self._look(scene.eye)
        self._dress(scene)
        first = self._scene.ngeom
        for thing in scene.things:
            self._add(thing)
        self._scene.flags[mujoco.mjtRndFlag.mjRND_SKYBOX] = scene.sky
        image = self._pixels()
        return image, self._labels(scene, first)

    def _look(self, eye: Matrix) -> None:
        index = int(self._model.body(EYE).mocapid[0])
        self._data.mocap_pos[index] = eye[:3, 3]
        x, y, z, w = quaternion_from_matrix(eye)
        self._data.mocap_quat[index] = (w, x, y, z)
        mujoco.mj_forward(self._model, self._data)

    def _dress(self, scene: Scene) -> None:
        camera = fixed_camera(self._model, EYE)
        everything = mujoco.mjtCatBit.mjCAT_ALL
        mujoco.mjv_updateScene(self._model, self._data, self._options, None, camera, everything, self._scene)
        for geom in self._scene.geoms[: self._scene.ngeom]:
            self._cover(geom, scene.floor if self._model.geom(geom.objid).name == "floor" else scene.table)
        for light, lamp in zip(self._scene.lights, scene.lamps, strict=False):
            _shine(light, lamp)
        self._scene.nlight = min(_MAX_LAMPS, len(scene.lamps))

    def _cover(self, geom: mujoco.MjvGeom, surface: Surface) -> None:
        geom.matid = -1 if surface.material is None else self._model.material(surface.material).id
        geom.rgba[:3] = surface.color

    def _add(self, thing: Thing) -> None:
        geom = self._scene.geoms[self._scene.ngeom]
        rgba = np.array([*thing.color, 1.0], np.float32)
        if isinstance(thing.shape, str):
            mesh = self._meshes[thing.shape]
            pose = thing.pose @ self._mesh_pose(thing.shape)
            _init(geom, mujoco.mjtGeom.mjGEOM_MESH, np.ones(3), pose, rgba)
            geom.dataid = 2 * int(mesh.dataid[0])  # the odd ones are convex hulls
            geom.matid = int(mesh.matid[0])
            geom.texcoord = 1
        else:
            _init(geom, thing.shape, np.array(thing.size), thing.pose, rgba)
            geom.matid = -1
        geom.specular, geom.shininess = thing.gloss, 0.3
        geom.segid = self._scene.ngeom  # without it, the geom is missing from the segmentation
        self._scene.ngeom += 1

    def _mesh_pose(self, kind: str) -> Matrix:
        pose = np.eye(4)
        rotation = np.empty(9)
        mujoco.mju_quat2Mat(rotation, self._meshes[kind].quat)
        pose[:3, :3], pose[:3, 3] = rotation.reshape(3, 3), self._meshes[kind].pos
        return pose

    def _corners(self, kind: str) -> Vector:
        mesh = int(self._meshes[kind].dataid[0])
        start, count = self._model.mesh_vertadr[mesh], self._model.mesh_vertnum[mesh]
        pose = self._mesh_pose(kind)
        return np.asarray(self._model.mesh_vert[start : start + count] @ pose[:3, :3].T + pose[:3, 3])

    def _labels(self, scene: Scene, first: int) -> list[Label]:
        geoms = self._scene.geoms
        ids = self._segments()
        labels = []
        for number, thing in enumerate(scene.things, first):
            rows, columns = np.nonzero(ids == number)
            if not isinstance(thing.shape, str) or len(rows) == 0:
                continue
            for other in range(self._scene.ngeom):
                geoms[other].segid = other if other == number else -1
            alone = int((self._segments() == number).sum())
            box = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
            inside = self._inside(scene.eye, thing)
            labels.append(Label(KINDS.index(thing.shape), *box, len(rows) / max(1, alone), inside, len(rows)))
        return labels

    def _inside(self, eye: Matrix, thing: Thing) -> float:
        """Returns the share of an object's corners whose projection lies within the image."""
        corners = self._corners(str(thing.shape)) @ thing.pose[:3, :3].T + thing.pose[:3, 3]
        seen = (corners - eye[:3, 3]) @ eye[:3, :3]
        upwards = np.tan(np.radians(self._model.camera(EYE).fovy[0]) / 2.0)
        sideways = upwards * self._viewport.width / self._viewport.height
        depth = np.maximum(1e-6, -seen[:, 2])
        within = (np.abs(seen[:, 0]) < sideways * depth) & (np.abs(seen[:, 1]) < upwards * depth) & (seen[:, 2] < 0)
        return float(within.mean())

    def _segments(self) -> NDArray[np.int64]:
        """Returns the number of the geom at every pixel; -1 for the background."""
        for flag in (mujoco.mjtRndFlag.mjRND_SEGMENT, mujoco.mjtRndFlag.mjRND_IDCOLOR):
            self._scene.flags[flag] = True
        colors = self._pixels().astype(np.int64)
        for flag in (mujoco.mjtRndFlag.mjRND_SEGMENT, mujoco.mjtRndFlag.mjRND_IDCOLOR):
            self._scene.flags[flag] = False
        return np.asarray(colors @ (1, 256, 65536) - 1)

    def _pixels(self) -> Image:
        mujoco.mjr_render(self._viewport, self._scene, self._gpu)
        pixels = np.empty((self._viewport.height, self._viewport.width, 3), dtype=np.uint8)
        mujoco.mjr_readPixels(pixels, None, self._viewport, self._gpu)
        return np.ascontiguousarray(np.flipud(pixels))


def _init(geom: mujoco.MjvGeom, shape: mujoco.mjtGeom, size: Vector, pose: Matrix, rgba: NDArray[np.float32]) -> None:
    mujoco.mjv_initGeom(geom, shape, size, pose[:3, 3].copy(), pose[:3, :3].flatten(), rgba)


def _shine(light: mujoco.MjvLight, lamp: Lamp) -> None:
    light.headlight = lamp.direction is None
    light.type = mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
    light.castshadow = False
    light.texid = -1
    light.attenuation[:] = (1.0, 0.0, 0.0)
    light.cutoff, light.exponent = 180.0, 0.0
    light.diffuse[:], light.ambient[:], light.specular[:] = lamp.diffuse, lamp.ambient, 0.3 * lamp.diffuse
    if lamp.direction is not None:
        light.pos[:], light.dir[:] = (0.0, 0.0, 3.5), lamp.direction
