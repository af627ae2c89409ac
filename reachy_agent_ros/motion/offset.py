"""Secondary layers: offsets for speech, face and gaze on top of the primary motion."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum

import numpy as np

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector, matrix_from_rotation_vector
from reachy_agent_ros.robot.finding import TargetError
from reachy_agent_ros.robot.limiter import MotionState, approach, brake
from reachy_agent_ros.robot.pose_limits import ACCELERATION, SPEED

LARGEST_SHIFT = 0.03
"""Maximum translation of a layer, m."""

LARGEST_SWAY = math.radians(30.0)
"""Maximum antenna angle of a layer, rad."""

PATIENCE = 0.25
"""Time after the last message of its source at which a layer starts to fade, s."""

_LAYER_ACCELERATION = 0.8 * ACCELERATION
"""Maximum acceleration of a layer that does not freeze; the rest of the gate's limit is for the primary motion."""

_FADING_SPEED = 0.15 * SPEED
"""Maximum speed at which a layer fades when its source is silent: 34 deg/s for the head."""

_GONE = 1e-6


class OffsetSource(IntEnum):
    """Source of a layer. The values mirror the constants in `reachy_agent_msgs/MotionOffset`.

    The sources are in the order of composition.
    """

    SPEECH = 0
    FACE = 1
    GAZE = 2


LARGEST_TURN = {
    OffsetSource.SPEECH: math.radians(30.0),
    OffsetSource.FACE: math.radians(60.0),
    OffsetSource.GAZE: math.radians(60.0),
}
"""Maximum rotation of a layer, rad. Speech only gestures; a face is followed as far as the neck turns."""

SMOOTHING = {OffsetSource.SPEECH: 0.017, OffsetSource.FACE: 0.02, OffsetSource.GAZE: 0.05}
"""Time constants with which layers follow their samples, s. A syllable takes 0.2 s. Face tracking already sends smooth
samples, and each additional millisecond here delays the head by a millisecond."""


@dataclass(frozen=True)
class Offset:
    """Offset that a layer adds to the posture.

    Attributes:
        translation: Translation in the frame of the head, m.
        rotation: Rotation vector in the frame of the head, rad.
        antenna_right: Angle added to the right antenna, rad.
        antenna_left: Angle added to the left antenna, rad.
    """

    translation: Vector = field(default_factory=lambda: np.zeros(3))
    rotation: Vector = field(default_factory=lambda: np.zeros(3))
    antenna_right: float = 0.0
    antenna_left: float = 0.0

    def values(self) -> Vector:
        """Returns the offset in the order of `coordinates.NAMES`. The body yaw is 0."""
        return np.array([*self.translation, *self.rotation, 0.0, self.antenna_right, self.antenna_left])


class OffsetLayers:
    """Latest offsets of all sources, which are added to the posture of the primary motion.

    The offsets are composed in the order of `OffsetSource` on SE(3), to the right of the head's pose.

    Any thread may call `set` and `switch`; all other methods are for the motion loop.
    """

    def __init__(self) -> None:
        self._wanted: Mapping[int, tuple[float, Vector]] = {}
        self._off: frozenset[OffsetSource] = frozenset()
        self._layers = {source: _Layer(SMOOTHING[source]) for source in OffsetSource}

    @property
    def calm(self) -> bool:
        """Whether all layers are at rest."""
        return all(layer.calm for layer in self._layers.values())

    @property
    def active(self) -> tuple[OffsetSource, ...]:
        """Sources whose layers currently have an effect."""
        return tuple(source for source, layer in self._layers.items() if layer.values.any())

    @property
    def gone(self) -> bool:
        """Whether all layers are at zero and at rest."""
        return all(layer.gone for layer in self._layers.values())

    def set(self, source: int, offset: Offset, now: float) -> None:
        """Replaces the layer of a source.

        Raises:
            TargetError: `INVALID_GOAL` for an unknown source, `NOT_FINITE` or `OUT_OF_ENVELOPE`, in which case the
                layer does not change.
        """
        if source not in list(OffsetSource):
            raise TargetError(ErrorCode.INVALID_GOAL, f"Invalid offset source {source}: expected 0 to 2.", "offset")
        _require_modest(OffsetSource(source), offset)
        self._wanted = {**self._wanted, OffsetSource(source): (now, offset.values())}

    def silent(self, source: int, now: float) -> bool:
        """Returns whether the last offset of a source is so old that its layer fades."""
        sent, _ = self._wanted.get(source, (-math.inf, None))
        return now - sent > PATIENCE

    def switch(self, source: OffsetSource, on: bool) -> None:
        """Enables the layer of a source, or fades it out and keeps it disabled."""
        self._off = self._off - {source} if on else self._off | {source}

    def advance(self, now: float, dt: float, frozen: bool = False) -> None:
        """Moves every layer toward the latest offset of its source, or toward zero if this offset is outdated.

        Args:
            now: Time on the steady clock, s.
            dt: Time since the last call, s.
            frozen: Whether the layers stop at their present values instead.
        """
        wanted = self._wanted
        for source, layer in self._layers.items():
            _, values = wanted.get(source, (-math.inf, None))
            fresh = source not in self._off and not self.silent(source, now)
            if frozen:
                layer.freeze(dt)
            elif values is not None and fresh:
                layer.follow(values, dt)
            else:
                layer.fade(dt)

    def clear(self) -> None:
        """Resets all layers because the robot is not in the commanded posture."""
        self._layers = {source: _Layer(SMOOTHING[source]) for source in OffsetSource}

    def added_to(self, pose: BodyPose, share: float = 1.0) -> BodyPose:
        """Returns the posture after adding a fraction (0 to 1) of every layer."""
        if self.gone:
            return pose
        for source in OffsetSource:
            values = share * self._layers[source].values
            if values.any():
                pose = _shifted(pose, pose.head @ _transform(values), values)
        return pose

    def removed_from(self, pose: BodyPose, share: float = 1.0) -> BodyPose:
        """Returns the posture that becomes `pose` after adding a fraction of every layer; inverse of `added_to`."""
        if self.gone:
            return pose
        for source in reversed(OffsetSource):
            values = share * self._layers[source].values
            if values.any():
                pose = _shifted(pose, pose.head @ np.linalg.inv(_transform(values)), -values)
        return pose


class _Layer:
    """Layer whose offset changes smoothly, with continuous position and velocity.

    It follows samples, freezes and fades.

    A first stage enforces the limits, and a second stage smooths the steps between samples. The second stage is a
    critically damped second-order filter. Its delay is twice its time constant; it never overshoots, and it exceeds
    neither the speed nor the acceleration of the first stage.

    Args:
        smoothing: Time constant of the filter, s.

    Attributes:
        values: Present offset, in the order of `coordinates.NAMES`.
        gone: Whether the offset is zero and at rest.
    """

    def __init__(self, smoothing: float) -> None:
        self.values = np.zeros(9)
        self.gone = True
        self._smoothing = smoothing
        self._velocity = np.zeros(9)
        self._led = MotionState(np.zeros(9), np.zeros(9))

    @property
    def calm(self) -> bool:
        """Whether the speed of every coordinate is less than a thousandth of its limit."""
        return bool((np.abs(self._velocity) < 1e-3 * SPEED).all())

    def follow(self, goal: Vector, dt: float) -> None:
        """Moves for `dt` seconds toward an offset, which is in the order of `coordinates.NAMES`."""
        self._smooth(approach(self._led, goal, dt, SPEED, _LAYER_ACCELERATION), dt)

    def fade(self, dt: float) -> None:
        """Moves for `dt` seconds towards zero, more slowly than `follow`."""
        if self.gone:
            return
        self._smooth(approach(self._led, np.zeros(9), dt, _FADING_SPEED, _LAYER_ACCELERATION), dt)
        if max(np.abs(self.values).max(), np.abs(self._velocity).max()) < _GONE:
            self.values, self._velocity = np.zeros(9), np.zeros(9)
            self._led = MotionState(np.zeros(9), np.zeros(9))
            self.gone = True

    def freeze(self, dt: float) -> None:
        """Brakes for `dt` seconds until the layer is at rest."""
        if self.gone:
            return
        self._smooth(brake(self._led, dt), dt)

    def _smooth(self, led: MotionState, dt: float) -> None:
        """Moves smoothly toward `led` for `dt` seconds.

        This is the exact solution of x'' = (led - x) / T^2 - 2 x' / T for constant `led`.
        """
        self.gone = False
        self._led = led
        distance = self.values - led.position
        slope = self._velocity + distance / self._smoothing
        decay = math.exp(-dt / self._smoothing)
        self.values = led.position + (distance + slope * dt) * decay
        self._velocity = (self._velocity - slope * dt / self._smoothing) * decay


def _require_modest(source: OffsetSource, offset: Offset) -> None:
    if not np.isfinite(offset.values()).all():
        raise TargetError(ErrorCode.NOT_FINITE, "The offset contains a number that is not finite.", "offset")
    turn = LARGEST_TURN[source]
    sway = max(abs(offset.antenna_right), abs(offset.antenna_left))
    far = np.linalg.norm(offset.translation) > LARGEST_SHIFT or np.linalg.norm(offset.rotation) > turn
    if far or sway > LARGEST_SWAY:
        limits = f"{LARGEST_SHIFT * 1000:.0f} mm of translation, {math.degrees(turn):.0f} deg of rotation"
        antenna = f"{math.degrees(LARGEST_SWAY):.0f} deg of antenna angle"
        message = f"The offset of {source.name} is too large: the limits are {limits} and {antenna}."
        raise TargetError(ErrorCode.OUT_OF_ENVELOPE, message, "offset")


def _transform(values: Vector) -> Matrix:
    transform = np.eye(4)
    transform[:3, :3] = matrix_from_rotation_vector(values[3:6])
    transform[:3, 3] = values[:3]
    return transform


def _shifted(pose: BodyPose, head: Matrix, values: Vector) -> BodyPose:
    right, left = pose.antenna_right + float(values[7]), pose.antenna_left + float(values[8])
    return replace(pose, head=head, antenna_right=right, antenna_left=left)
