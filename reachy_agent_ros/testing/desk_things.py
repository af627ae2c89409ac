"""Where the things on the simulated desk truly are."""

from __future__ import annotations

from functools import cache

import mujoco
import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.robot.description import scene_path
from reachy_agent_ros.vision.scene_model import scene_without_robot


@cache
def middle(kind: str) -> Vector:
    """Middle of the box around a thing's mesh, homogeneous, in the thing's own frame, m."""
    model = _model()
    geom = model.geom(f"{kind}_geom").id
    turned = np.empty(3)
    mujoco.mju_rotVecQuat(turned, model.geom_aabb[geom, :3], model.geom_quat[geom])
    return np.append(model.geom_pos[geom] + turned, 1.0)


@cache
def _model() -> mujoco.MjModel:
    return scene_without_robot(scene_path("minimal"))
