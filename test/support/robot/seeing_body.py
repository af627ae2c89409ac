"""Fake body for tests of gaze tools, with a camera and with friction in the head."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector, head_transform, rpy_from_matrix
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tools.body import Motion, MotionResult, PoseMotion, SeenThing, Sight
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.eye import camera_pose, pixel_of

LENS = Intrinsics.from_field_of_view(320, 240, math.radians(80.0))
FRICTION = math.radians(0.3)
"""Steady-state error of the head because of friction, rad."""


@dataclass
class SeeingBody(RecordingBody):
    """Fake implementation of `tools.body.Body` with objects at known positions (m) in `base_link`."""

    things: dict[str, Vector] = field(default_factory=dict)
    ghosts: int = 0

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        context.cancel.raise_if_cancelled()
        result = super().move(motion, context)
        assert isinstance(motion, PoseMotion)
        assert motion.head is not None
        _, pitch, yaw = rpy_from_matrix(motion.head)
        assert abs(pitch) <= math.radians(40.0) + 1e-9
        self.pose = BodyPose(head_transform(pitch=pitch + FRICTION, yaw=yaw - FRICTION))
        return result

    def detect(self, labels: Sequence[str], context: ToolContext) -> Sight:
        context.cancel.raise_if_cancelled()
        camera = camera_pose(self.pose.head)
        if self.ghosts:
            self.ghosts -= 1
            return Sight((SeenThing(labels[0], 0.4, (1.0, 0.0, 0.0)),), camera)
        seen = [self._seen(name, place) for name, place in self.things.items() if not labels or name in labels]
        return Sight(tuple(thing for thing in seen if thing is not None), camera)

    def axis_error(self, name: str) -> float:
        """Returns the angle (rad) between the optical axis of the camera and the direction to an object."""
        camera = camera_pose(self.pose.head)
        way = self.things[name] - camera[:3, 3]
        return math.acos(float(way @ camera[:3, 2] / np.linalg.norm(way)))

    def _seen(self, name: str, place: Vector) -> SeenThing | None:
        camera = camera_pose(self.pose.head)
        way = place - camera[:3, 3]
        pixel = pixel_of(camera[:3, :3].T @ way, LENS)
        if pixel is None or not (0.0 <= pixel[0] <= LENS.width and 0.0 <= pixel[1] <= LENS.height):
            return None
        x, y, z = way / np.linalg.norm(way)
        return SeenThing(name, 0.9, (float(x), float(y), float(z)), (float(place[0]), float(place[1]), float(place[2])))
