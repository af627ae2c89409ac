"""Secondary layers: what speech and gaze add to whatever the body does."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector, matrix_from_rotation_vector
from reachy_agent_ros.robot.finding import TargetError

LARGEST_SHIFT = 0.03
"""Greatest translation of a layer, m."""

LARGEST_TURN = math.radians(30.0)
"""Greatest rotation of a layer, and of an antenna in it, rad."""

PATIENCE = 0.25
"""Seconds of silence after which a layer begins to fade."""

FADE = 0.4
"""Seconds in which it fades."""


@dataclass(frozen=True)
class Offset:
    """One layer.

    Attributes:
        translation: In the head's own frame, m.
        rotation: Rotation vector in the head's own frame, rad.
        antenna_right: Added, rad.
        antenna_left: Added, rad.
    """

    translation: Vector = field(default_factory=lambda: np.zeros(3))
    rotation: Vector = field(default_factory=lambda: np.zeros(3))
    antenna_right: float = 0.0
    antenna_left: float = 0.0

    def scaled(self, share: float) -> Offset:
        """The same, smaller."""
        return Offset(
            self.translation * share, self.rotation * share, self.antenna_right * share, self.antenna_left * share
        )

    def transform(self) -> Matrix:
        """4x4 transform to apply on the right of the head's."""
        transform = np.eye(4)
        transform[:3, :3] = matrix_from_rotation_vector(self.rotation)
        transform[:3, 3] = self.translation
        return transform


class OffsetLayers:
    """The newest offset of each source. Layers are composed on SE(3) in the order of their sources' numbers."""

    def __init__(self) -> None:
        self._layers: Mapping[int, tuple[float, Offset]] = {}

    def set(self, source: int, offset: Offset, now: float) -> None:
        """Replaces a source's layer.

        Raises:
            TargetError: `NOT_FINITE` or `OUT_OF_ENVELOPE`; the layer then stays as it was.
        """
        angles = (*offset.rotation, offset.antenna_right, offset.antenna_left)
        if not np.isfinite([*offset.translation, *angles]).all():
            raise TargetError(ErrorCode.NOT_FINITE, "the offset contains a number that is not finite", "offset")
        if np.linalg.norm(offset.translation) > LARGEST_SHIFT or np.max(np.abs(angles)) > LARGEST_TURN:
            message = f"an offset shifts by {LARGEST_SHIFT * 1000:.0f} mm and turns by 30 deg at most"
            raise TargetError(ErrorCode.OUT_OF_ENVELOPE, message, "offset")
        self._layers = {**self._layers, source: (now, offset)}

    def added_to(self, pose: BodyPose, now: float) -> BodyPose:
        """The posture with all layers on top."""
        return self._composed(pose, now, 1)

    def removed_from(self, pose: BodyPose, now: float) -> BodyPose:
        """The posture that would become this one with all layers on top."""
        return self._composed(pose, now, -1)

    def _composed(self, pose: BodyPose, now: float, sign: int) -> BodyPose:
        head = np.eye(4)
        right, left = 0.0, 0.0
        for _, (sent, offset) in sorted(self._layers.items()):
            faded = offset.scaled(_share(now - sent))
            head = head @ faded.transform()
            right += faded.antenna_right
            left += faded.antenna_left
        return replace(
            pose,
            head=pose.head @ (head if sign > 0 else np.linalg.inv(head)),
            antenna_right=pose.antenna_right + sign * right,
            antenna_left=pose.antenna_left + sign * left,
        )


def _share(age: float) -> float:
    phase = min(max((age - PATIENCE) / FADE, 0.0), 1.0)
    return 1.0 - phase * phase * (3.0 - 2.0 * phase)
