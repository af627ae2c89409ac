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
"""Seconds of silence after which a layer is no longer wanted."""

SMOOTHING = 0.05
"""Time constant, s, with which layers grow, change and fade: their samples come in steps."""

_GONE = 1e-4


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

    def transform(self) -> Matrix:
        """4x4 transform to apply on the right of the head's."""
        transform = np.eye(4)
        transform[:3, :3] = matrix_from_rotation_vector(self.rotation)
        transform[:3, 3] = self.translation
        return transform

    def towards(self, other: Offset, share: float) -> Offset:
        """A share (0..1) of the way from this offset to another."""
        return Offset(
            self.translation + share * (other.translation - self.translation),
            self.rotation + share * (other.rotation - self.rotation),
            self.antenna_right + share * (other.antenna_right - self.antenna_right),
            self.antenna_left + share * (other.antenna_left - self.antenna_left),
        )

    def largest(self) -> float:
        """Greatest of its numbers, m or rad."""
        return float(np.max(np.abs([*self.translation, *self.rotation, self.antenna_right, self.antenna_left])))


class OffsetLayers:
    """The newest offset of each source, smoothed. Layers are composed on SE(3) in the order of their sources' numbers.

    Any thread may `set`; the rest belongs to the motion loop.
    """

    def __init__(self) -> None:
        self._wanted: Mapping[int, tuple[float, Offset]] = {}
        self._applied: dict[int, Offset] = {}
        self._now = 0.0

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
        self._wanted = {**self._wanted, source: (now, offset)}

    def advance(self, now: float) -> None:
        """Moves every layer a little nearer to what its source last sent, or to nothing when that is long ago."""
        share = 1.0 - math.exp(-max(0.0, now - self._now) / SMOOTHING)
        self._now = now
        for source, (sent, offset) in self._wanted.items():
            wanted = offset if now - sent <= PATIENCE else Offset()
            applied = self._applied.get(source, Offset()).towards(wanted, share)
            if now - sent > PATIENCE and applied.largest() < _GONE:
                self._applied.pop(source, None)
            else:
                self._applied[source] = applied

    def added_to(self, pose: BodyPose) -> BodyPose:
        """The posture with all layers on top."""
        for _, layer in sorted(self._applied.items()):
            pose = replace(
                pose,
                head=pose.head @ layer.transform(),
                antenna_right=pose.antenna_right + layer.antenna_right,
                antenna_left=pose.antenna_left + layer.antenna_left,
            )
        return pose

    def removed_from(self, pose: BodyPose) -> BodyPose:
        """The posture that would become this one with all layers on top."""
        for _, layer in sorted(self._applied.items(), reverse=True):
            pose = replace(
                pose,
                head=pose.head @ np.linalg.inv(layer.transform()),
                antenna_right=pose.antenna_right - layer.antenna_right,
                antenna_left=pose.antenna_left - layer.antenna_left,
            )
        return pose
