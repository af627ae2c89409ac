"""Ground truth from the renderer, which determines the body at each pixel of an image."""

from __future__ import annotations

import math

import mujoco
import numpy as np
from numpy.typing import NDArray

from evaluation.vision.desk_look import geoms_of
from evaluation.vision.desk_props import HIDDEN_GROUP
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.detection import BoundingBox
from reachy_agent_ros.vision.graphics import Renderer, fixed_camera
from reachy_agent_ros.vision.scene_model import EYE, VERTICAL_FIELD_OF_VIEW

Mask = NDArray[np.bool_]

_MARGIN = 2
"""Ratio of the labeled field to the image in width and height, to include outlines beyond the edges."""


class Labeler(Renderer):
    """Renderer of labels, with the same camera and pixels as the image, but a wider field of view.

    Args:
        model: Model of the scene, with the camera `EYE`.
        picture: Intrinsics of the labeled image.
    """

    def __init__(self, model: mujoco.MjModel, picture: Intrinsics) -> None:
        super().__init__(model, _MARGIN * picture.width, _MARGIN * picture.height)
        self._picture = picture
        self._field_of_view = math.degrees(2.0 * math.atan(_MARGIN * picture.height / 2.0 / picture.focal_length))

    def visible(self, data: mujoco.MjData, body: str) -> tuple[Mask, float]:
        """Returns the visible pixels of a body, and the visible fraction of the body.

        Args:
            data: State of the scene.
            body: Name of the body.

        Returns:
            Mask of the image's size, and the fraction (0 to 1) of the body's whole outline that is in the mask.
        """
        geoms = geoms_of(self._model, body)
        seen = self._inside(np.isin(self._geoms(data), geoms))
        groups = self._model.geom_group.copy()
        self._model.geom_group[:] = HIDDEN_GROUP
        self._model.geom_group[geoms] = 0
        whole = np.isin(self._geoms(data), geoms).sum()
        self._model.geom_group[:] = groups
        return seen, float(seen.sum()) / max(1, int(whole))

    def _geoms(self, data: mujoco.MjData) -> NDArray[np.int64]:
        """Returns the number of the geom at every pixel of the wider field of view; -1 where no geom is visible."""
        self._model.cam_fovy[self._model.camera(EYE).id] = self._field_of_view
        self._scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = True
        self._scene.flags[mujoco.mjtRndFlag.mjRND_IDCOLOR] = True
        pixels = self.draw(data, fixed_camera(self._model, EYE)).astype(np.int64)
        self._model.cam_fovy[self._model.camera(EYE).id] = VERTICAL_FIELD_OF_VIEW
        geoms = np.full(self._scene.ngeom + 1, -1)
        for drawn in self._scene.geoms[: self._scene.ngeom]:
            if drawn.objtype == mujoco.mjtObj.mjOBJ_GEOM:
                geoms[drawn.segid + 1] = drawn.objid
        return np.asarray(geoms[pixels @ [1, 256, 65536]])

    def _inside(self, mask: Mask) -> Mask:
        width, height = self._picture.width, self._picture.height
        left, top = (_MARGIN - 1) * width // 2, (_MARGIN - 1) * height // 2
        return mask[top : top + height, left : left + width]


def box_of(mask: Mask) -> BoundingBox:
    """Returns the smallest box around the true pixels of a mask. The mask must have a true pixel."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return BoundingBox(float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1))
