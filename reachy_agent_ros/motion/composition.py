"""Composition of the primary motion with secondary layers and a position correction, and the inverse calculation."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.following import SIGNIFICANT, TOLERANCE
from reachy_agent_ros.motion.offset import OffsetLayers
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.gate import LONGEST_STEP
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.workspace import Workspace

BLEND = 1.0
"""Time that reduced layers take to return to their full amplitude, s."""

LARGEST_TRIM = TOLERANCE
"""Maximum correction by the trim, m and rad."""

_GAIN = 2.0
"""Gain of the trim. The trim adds this multiple of a constant deviation, which reduces the deviation to a third."""

_RESPONSE = 0.15
"""Time constant of the trim, s: three times the response time of the real robot, so that the trim is stable there,
too."""

_FADING = 0.3
"""Time constant with which the trim fades during the next motion, which has a lag of its own, s."""

_HALVINGS = 7
_ROUNDING = 1e-9


class Composition:
    """Adds layers and trim to the posture of a primary motion, and removes them from a command.

    If the layers would lead outside the envelope or the workspace, only a fraction of all layers is used. For example,
    if following a face would lead too far, a dance continues instead of being stopped by the gate. Use only from the
    motion loop.

    Attributes:
        layers: Secondary layers.
        trim: Correction of the final position error.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.layers = OffsetLayers()
        self.trim = Trim()
        self._workspace = workspace
        self._share = 1.0
        self._now: float | None = None
        self._dt = 0.0

    @property
    def dt(self) -> float:
        """Time between the last two steps (s). Limited after a stall, as in the safety gate."""
        return self._dt

    @property
    def share(self) -> float:
        """Fraction (0 to 1) by which all layers are scaled to stay within the limits and the workspace."""
        return self._share

    def advance(self, command: MotionState, now: float, frozen: bool) -> MotionState:
        """Advances the layers to `now`. Returns the state of the primary motion that corresponds to the command.

        The gate follows the wanted posture at a distance that grows with the speed. To keep the velocity, the wanted
        posture must therefore be one step beyond the posture in which the body would come to rest. A motion that begins
        there continues the velocity of the command, without the velocity of the layers.

        Args:
            command: Last command.
            now: Time on the steady clock, s.
            frozen: Whether the layers stop at their present values.
        """
        self._dt = 0.0 if self._now is None else min(max(now - self._now, 0.0), LONGEST_STEP)
        self._now = now
        before = self._primary(command.at_rest())
        self.layers.advance(now, self._dt, frozen)
        after = self._primary(command.at_rest() + command.velocity * self._dt)
        velocity = (after - before) / self._dt if self._dt > 0.0 else np.zeros(9)
        return MotionState(after, velocity)

    def whole(self, primary: BodyPose) -> BodyPose:
        """Returns the posture of the primary motion with the layers, but without the trim."""
        fuller = min(1.0, self._share + self._dt / BLEND)
        if self._fits(primary, fuller):
            self._share = fuller
        elif not self._fits(primary, self._share):
            self._share = self._largest_share(primary, self._share)
        return self.layers.added_to(primary, self._share)

    def trimmed(self, whole: BodyPose) -> BodyPose:
        """Returns the command with which the body reaches the posture `whole`."""
        return posture(coordinates(whole) + self.trim.values)

    def clear(self) -> None:
        """Resets layers and trim immediately."""
        self.layers.clear()
        self.trim.clear()
        self._share = 1.0

    def _primary(self, values: Vector) -> Vector:
        untrimmed = values - self.trim.values
        if self.layers.gone:
            return untrimmed
        return coordinates(self.layers.removed_from(posture(untrimmed), self._share))

    def _fits(self, primary: BodyPose, share: float) -> bool:
        whole = self.layers.added_to(primary, share)
        if whole is primary:
            return True
        values = coordinates(whole)
        inside = (values >= LOW - _ROUNDING) & (values <= HIGH + _ROUNDING)
        return bool(inside.all()) and self._workspace.contains(whole)

    def _largest_share(self, primary: BodyPose, unfit: float) -> float:
        fit = 0.0
        for _ in range(_HALVINGS):
            middle = (fit + unfit) / 2.0
            fit, unfit = (middle, unfit) if self._fits(primary, middle) else (fit, middle)
        return fit


class Trim:
    """Trim: correction of the position error of a body at rest, by a bounded leaky integrator.

    Because of friction and the compliance of the arms, the simulated head is 4 deg behind the command when a motion
    ends, and 1.5 deg behind 0.6 s later. With the trim, it is 0.2 deg behind. The bound limits the force on an obstacle
    that holds the body back.

    Attributes:
        values: Correction to add to the nine coordinates of the command.
    """

    def __init__(self) -> None:
        self.values = np.zeros(9)

    def correct(self, wanted: Vector, measured: Vector, dt: float) -> None:
        """Updates the correction with a measurement. The body should be at rest at `wanted`."""
        deviation = np.clip(wanted - measured, -SIGNIFICANT, SIGNIFICANT)
        change = (_GAIN * deviation - self.values) * dt / _RESPONSE
        self.values = np.clip(self.values + change, -LARGEST_TRIM, LARGEST_TRIM)

    def fade(self, dt: float) -> None:
        """Reduces the correction gradually while the body moves."""
        self.values = self.values * math.exp(-dt / _FADING)

    def clear(self) -> None:
        """Resets the correction because the robot is not in the commanded posture."""
        self.values = np.zeros(9)
